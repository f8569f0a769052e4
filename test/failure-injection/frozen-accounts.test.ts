import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { clonedDatabase } from '../fixtures/clone.ts'
import { runToEnd, type ServerProcess, startServer } from '../fixtures/server-process.ts'
import { upstream } from '../fixtures/upstream.ts'

const ENCRYPTION_KEYS = `a:${Buffer.alloc(32, 1).toString('base64')}`

interface Draft {
  toolkit: string
  authScheme: string
  user: string
  val: Record<string, string>
}

/** Connects an account and returns its id. */
async function connectAt(
  server: ServerProcess,
  apiKey: string,
  { toolkit, authScheme, user, val }: Draft,
): Promise<string> {
  const headers = { 'x-api-key': apiKey }
  const config = await server.call(
    'POST',
    '/api/v3/auth_configs',
    { toolkit: { slug: toolkit }, auth_config: { type: 'use_custom_auth', authScheme } },
    headers,
  )
  const { id } = config.body['auth_config'] as { id: string }
  const account = await server.call(
    'POST',
    '/api/v3/connected_accounts',
    {
      auth_config: { id },
      connection: { user_id: user, state: { authScheme, val } },
    },
    headers,
  )
  assert.equal(account.status, 201, JSON.stringify(account.body))
  return String(account.body['id'])
}

/** Two servers of one database. Accounts are connected and frozen at the first, tools are called at the second. */
async function startServers(t: TestContext) {
  const application = await upstream(t)
  const DATABASE_URL = await clonedDatabase(t, 'template1')
  const env = { DATABASE_URL, ENCRYPTION_KEYS, ROLE: 'serve', EGRESS_ALLOW: '127.0.0.0/8' }
  const first = await startServer(t, { env })
  const second = await startServer(t, { env })
  const keys = await first.keys()
  const { organization_api_key: organization } = keys
  const made = await first.call(
    'POST',
    '/api/v3/org/owner/project/new',
    { name: 'other', should_create_api_key: true },
    { 'x-org-api-key': organization },
  )
  const [other, otherKey] = [String(made.body['id']), String(made.body['api_key'])]

  const connect = (apiKey: string, draft: Draft) =>
    connectAt(first, apiKey, { ...draft, val: { server_url: application.url, ...draft.val } })
  const nodered = (apiKey: string, user: string) =>
    connect(apiKey, { toolkit: 'nodered', authScheme: 'BEARER_TOKEN', user, val: { token: 'a-token' } })
  const run = async (apiKey: string, tool: string, more: Record<string, string>) =>
    (
      await second.call(
        'POST',
        `/api/v3.1/tools/execute/${tool}`,
        { arguments: {}, ...more },
        { 'x-api-key': apiKey },
      )
    ).status
  const freeze = async (...scope: string[]) => {
    const { code, output } = await runToEnd(t, {
      args: ['panic', ...scope, '--yes', '--wait', '0'],
      env: { PATCHBAY_URL: first.url, PATCHBAY_ORG_API_KEY: organization },
    })
    assert.ok(code === 0 || code === 6, output)
    assert.match(output, /^1 frozen/m)
  }
  return { application, keys, other, otherKey, connect, nodered, run, freeze }
}

test('incident on several servers: accounts frozen by one process are rejected by the other at once', async (t) => {
  const { application, keys, other, otherKey, connect, nodered, run, freeze } = await startServers(t)
  const { project_id: mine, project_api_key: key } = keys
  const anns = await nodered(key, 'ann')
  await nodered(key, 'bob')
  await connect(key, {
    toolkit: 'parse',
    authScheme: 'API_KEY',
    user: 'bob',
    val: { application_id: 'app', generic_api_key: 'a-key' },
  })
  await nodered(otherKey, 'cid')
  const calls = {
    ann: () => run(key, 'NODERED_GET_SETTINGS', { user_id: 'ann' }),
    annById: () => run(key, 'NODERED_GET_SETTINGS', { user_id: 'ann', connected_account_id: anns }),
    bob: () => run(key, 'NODERED_GET_SETTINGS', { user_id: 'bob' }),
    bobParse: () => run(key, 'PARSE_GET_CONFIG', { user_id: 'bob' }),
    cid: () => run(otherKey, 'NODERED_GET_SETTINGS', { user_id: 'cid' }),
  }
  const statuses = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(calls).map(async ([name, call]) => [name, await call()] as const)),
    )
  const works = { ann: 200, annById: 200, bob: 200, bobParse: 200, cid: 200 }
  // Twice: whatever a server remembers of an account it remembers now.
  for (let i = 0; i < 2; i++) assert.deepEqual(await statuses(), works)

  await freeze('--user', 'ann')
  assert.deepEqual(await statuses(), { ...works, ann: 422, annById: 422 })
  await freeze('--toolkit', 'nodered', '--project', mine)
  assert.deepEqual(await statuses(), { ...works, ann: 422, annById: 422, bob: 422 })
  await freeze('--project', other)
  assert.deepEqual(await statuses(), { ...works, ann: 422, annById: 422, bob: 422, cid: 422 })
  await freeze('--toolkit', 'parse')
  assert.deepEqual(await statuses(), { ann: 422, annById: 422, bob: 422, bobParse: 422, cid: 422 })
  const sent = application.requests.length
  await statuses()
  assert.equal(application.requests.length, sent)
})
