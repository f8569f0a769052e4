import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as promClient from 'prom-client'
import { collectDefaultMetrics, Registry } from './prom-client.ts'

test('metrics: those of the process are those of prom-client', async () => {
  const own = new Registry()
  collectDefaultMetrics(own)
  const expected = new promClient.Registry()
  promClient.collectDefaultMetrics({ register: expected })
  const describe = async (registry: promClient.Registry) =>
    (await registry.getMetricsAsJSON()).map(({ name, help, type }) => ({ name, help, type }))
  assert.deepEqual(await describe(own), await describe(expected))
})

test('metrics: the processor time of the process is counted', async () => {
  const registry = new Registry()
  collectDefaultMetrics(registry)
  const seconds = async (name: string) => {
    const [value] = (await registry.getSingleMetric(name)!.get()).values
    return value!.value
  }
  const used = process.cpuUsage()
  while (process.cpuUsage(used).user < 20_000) JSON.stringify(registry.metrics)
  const user = await seconds('process_cpu_user_seconds_total')
  const system = await seconds('process_cpu_system_seconds_total')
  assert.ok(user >= 0.02)
  assert.ok(Math.abs((await seconds('process_cpu_seconds_total')) - user - system) < 1e-9)
})
