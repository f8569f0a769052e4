import assert from 'node:assert/strict'
import { connect as connectTls } from 'node:tls'
import { test } from 'node:test'
import { Composio } from '@composio/core'
import { watchOutside } from './outside.ts'
import { stockSdk } from './stock-sdk.ts'

test('with its two switches the SDK talks to the server only', async (t) => {
  const { composio, seen } = await stockSdk(t)
  await composio.toolkits.get({})
  await composio.tools.get('ada', { toolkits: ['utilities'] })
  await assert.rejects(composio.toolkits.get('nowhere'))
  await composio.flush()
  assert.deepEqual(
    seen.map(({ path }) => path),
    ['/api/v3.1/toolkits', '/api/v3.1/tools', '/api/v3.1/toolkits/nowhere'],
  )
})

test('without the option for the version check, it requests the registry, and the tests notice it', async (t) => {
  const outside = watchOutside()
  t.after(() => outside.end())
  const seen = outside.next()
  void new Composio({ apiKey: 'ak_x', baseURL: 'http://127.0.0.1:9', allowTracking: false })
  assert.equal(await seen, 'registry.npmjs.org')
})

test('the watch sees who connects by other ways than fetch, and lets this machine through', async (t) => {
  const outside = watchOutside()
  t.after(() => outside.end())
  const socket = connectTls({ host: 'telemetry.example', port: 443 })
  await assert.rejects(
    new Promise((_, reject) => {
      socket.on('error', reject)
    }),
    /telemetry\.example/,
  )
  assert.deepEqual(outside.hosts, ['telemetry.example'])
  await assert.rejects(fetch('http://127.0.0.1:9/'))
  await assert.rejects(fetch('http://192.0.2.1/'))
  assert.deepEqual(outside.hosts, ['telemetry.example', '192.0.2.1'])
})

test('the SDK says who it is, and gets the id of its request back', async (t) => {
  const { composio, seen } = await stockSdk(t)
  const reply = await composio.getClient().toolkits.retrieve('parse').asResponse()
  assert.match(reply.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  assert.deepEqual(
    [seen[0]?.headers['x-sdk-version'], seen[0]?.headers['x-source'], seen[0]?.headers['x-framework']],
    ['0.19.0', 'TYPESCRIPT_SDK', 'openai'],
  )
})
