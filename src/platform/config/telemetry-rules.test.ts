import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config.ts'

const WRONG = {
  OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'ftp://collector.example'],
  OTEL_EXPORTER_OTLP_HEADERS: ['authorization', 'a b=c', 'a=%zz'],
  OTEL_TRACES_SAMPLER_ARG: ['1.5', '-0', 'half'],
  TRACE_PROPAGATION_HOSTS: ['https://a.example', '*', 'a.*'],
  WORKERS: ['0', '65', 'all', '1.5'],
}

test('settings: wrong values of telemetry and workers are errors that name the variable', () => {
  for (const [name, values] of Object.entries(WRONG))
    for (const value of values)
      assert.throws(() => readConfig({ [name]: value }), new RegExp(`${name} must be`), `${name}=${value}`)
})

test('settings: headers for the collector are percent-decoded, and hosts are in lower case', () => {
  const config = readConfig({
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20a%3D,x-team=ops',
    TRACE_PROPAGATION_HOSTS: 'API.example.com, *.example.org',
    WORKERS: 'auto',
  })
  assert.deepEqual(config.otlpHeaders, { authorization: 'Bearer a=', 'x-team': 'ops' })
  assert.deepEqual(config.tracePropagationHosts, ['api.example.com', '*.example.org'])
  assert.ok(config.workers >= 1)
})
