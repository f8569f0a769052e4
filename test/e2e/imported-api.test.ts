// An API document becomes tools, and the tools do what the program says that it describes: here the server's own document, read from the server itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFrom } from '../../src/catalog/index.ts'
import { importOpenApi } from '../../src/catalog/import/index.ts'
import { createEgress, parseAllowRules } from '../../src/platform/egress/index.ts'
import { testApp } from '../harness/app.ts'
import { onStage } from '../../src/features/connected-accounts/testing.ts'
import { createAuthConfig } from '../../src/contract/auth-configs.ts'
import { createConnectedAccount } from '../../src/contract/connected-accounts.ts'

test('tools imported from the document of a running server act on that server', { timeout: 120_000 }, async (t) => {
  const target = await testApp(t)
  const origin = await target.app.http.listen({ port: 0, host: '127.0.0.1' })
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  t.after(() => egress.close())
  const get = async (url: string) => (await egress.send({ method: 'GET', url, timeoutMs: 10_000 })).body.toString()
  const address = `${origin}/openapi.json`
  const { toolkit, tools, report } = await importOpenApi(await get(address), { slug: 'itself', address, server: origin }, get)
  assert.deepEqual(report.refused, [])

  const catalog = catalogFrom([{ slug: 'itself', toolkit: { ...toolkit, created: '2026-11-21', releases: [{ version: '20261121_00', changes: 'First.' }] }, tools: { tools }, icon: '<svg/>' }])
  const { call } = await testApp(t, { catalog })
  const config = await call(createAuthConfig, { body: { toolkit: { slug: 'itself' }, auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', credentials: {} } } as never })
  const connected = await call(createConnectedAccount, { body: { auth_config: { id: config.body.auth_config.id }, connection: { user_id: 'u1', state: { authScheme: 'API_KEY', val: { generic_api_key: target.keys.projectApiKey } } } } as never })
  assert.equal(connected.status, 201, JSON.stringify(connected.body))
  const { run } = onStage(target, call)
  const tool = (method: string, path: string) => tools.find(({ request }) => request?.method === method && request.path === path)!.slug
  const execute = async (slug: string, args: Record<string, unknown>) => (await run({ arguments: args }, slug)).body as { successful: boolean, data: Record<string, unknown> }

  const listed = await execute(tool('GET', '/api/v3/toolkits'), { limit: 2 })
  assert.deepEqual([listed.successful, (listed.data['items'] as unknown[]).length], [true, 2])
  const made = await execute(tool('POST', '/api/v3/auth_configs'), { toolkit: { slug: 'github' }, auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', credentials: {}, name: 'From a tool' } })
  assert.equal(made.successful, true, JSON.stringify(made))
  const { id } = made.data['auth_config'] as { id: string }
  const read = await execute(tool('GET', '/api/v3/auth_configs/{nanoid}'), { nanoid: id })
  assert.deepEqual([read.successful, read.data['id']], [true, id])
  const gone = await execute(tool('DELETE', '/api/v3/auth_configs/{nanoid}'), { nanoid: id })
  assert.equal(gone.successful, true)
  const missing = await execute(tool('GET', '/api/v3/auth_configs/{nanoid}'), { nanoid: id })
  assert.deepEqual([missing.successful, missing.data['status_code']], [false, 404])
})
