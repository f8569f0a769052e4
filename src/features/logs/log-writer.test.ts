import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { updateProjectConfig } from '../../contract/projects/index.ts'
import { executeTool } from '../../contract/tools/index.ts'
import { createEncryptor, parseKeyRing } from '../../platform/crypto/index.ts'
import { partitionByDay } from '#fixtures/partitions.ts'
import { listPeriods } from '../../platform/db/partitions/index.ts'
import { sql } from '../../platform/db/sql.ts'
import {
  startConnectedAccountsApp,
  API_KEY,
  type ConnectedAccountsApp,
  CLIENT,
  oauth,
  SIGN_IN,
  BASIC,
} from '#fixtures/connected-accounts.ts'
import { keyed, CREATE } from '#fixtures/logged-calls.ts'

const newSealer = () => createEncryptor(parseKeyRing(`test:${randomBytes(32).toString('base64')}`))

const payloadOf = (seal: ReturnType<typeof newSealer>, row: Record<string, any>) =>
  seal.decrypt<{ arguments: unknown; data: unknown }>(row['payload'], `tool_executions:${row['id']}:payload`)

test('log: each execution has one row with user, tool and outcome, and its encrypted payload', async (t) => {
  const seal = newSealer()
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    app: { encryptor: seal },
    answer: ({ path }) =>
      path === '/orders/404' ? { status: 404, json: { message: 'none' } } : { json: { id: '7' } },
  })
  const id = await keyed(s)
  const config = (await s.readAccount(id)).auth_config.id
  const good = await s.as({
    'x-api-key': s.keys.projectApiKey,
    'x-framework': 'langchain',
    'x-source': 'TYPESCRIPT_SDK',
    'x-runtime': 'NODEJS',
    'x-sdk-version': '0.19.0',
    'x-request-id': 'request-1',
  })(executeTool, {
    params: { tool_slug: 'shop_get_order' },
    body: { user_id: 'u1', arguments: { id: '7' } },
  })
  const bad = await s.callTool({ arguments: { id: '404' } })
  const [first, second, ...more] = await s.executionRows()
  assert.deepEqual(more, [])
  const { payload: _payload, created_at, duration_ms, timings, ...row } = first!
  assert.deepEqual(row, {
    id: good.body.log_id,
    project_id: s.keys.projectId,
    tool_slug: 'SHOP_GET_ORDER',
    toolkit_slug: 'shop',
    version: '00000000_00',
    user_id: 'u1',
    connected_account_id: id,
    auth_config_id: config,
    request_id: 'request-1',
    successful: true,
    status_code: 200,
    error: null,
    source: { framework: 'langchain', source: 'TYPESCRIPT_SDK', runtime: 'NODEJS', sdk_version: '0.19.0' },
    effect: 'read',
    dry_run: false,
    requests: 1,
    request_bytes: 0,
    response_bytes: 10,
    session_id: null,
    sandbox_id: null,
    parent_id: null,
  })
  assert.deepEqual(Object.keys(timings).sort(), ['account', 'application', 'credentials'])
  assert.ok(created_at instanceof Date && duration_ms >= 0)
  assert.deepEqual(payloadOf(seal, first!), { arguments: { id: '7' }, data: { id: '7' } })
  assert.deepEqual(
    [second!['id'], second!['successful'], second!['status_code'], second!['error'], second!['source']],
    [bad.body.log_id, false, 404, '404 Client Error: Not Found - none', null],
  )
  assert.throws(() => seal.decrypt(second!['payload'], `tool_executions:${first!['id']}:payload`), {
    name: 'EncryptionError',
  })
})

test('log: a call that may change something is logged before it is sent, and its end replaces its start', async (t) => {
  const seal = newSealer()
  const seen: Record<string, any>[] = []
  const s: ConnectedAccountsApp = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: [sampleTool(), CREATE],
    app: { encryptor: seal },
    answer: async () => {
      seen.push(...(await s.executionRows()))
      return { status: 201, json: { id: '7', key: 'the-secret-key' } }
    },
  })
  await keyed(s)
  const { body } = await s.callTool({ arguments: { item: 'tea' } }, 'SHOP_CREATE_ORDER')
  const [begun, ...more] = seen
  assert.deepEqual(
    [more, begun!['id'], begun!['successful'], begun!['duration_ms'], begun!['effect']],
    [[], body.log_id, null, null, 'create'],
  )
  assert.deepEqual(payloadOf(seal, begun!), { arguments: { item: 'tea' } })
  const [ended, ...others] = await s.executionRows()
  assert.deepEqual(
    [others, ended!['id'], ended!['successful'], ended!['status_code'], ended!['created_at']],
    [[], body.log_id, true, 201, begun!['created_at']],
  )
  assert.deepEqual(
    payloadOf(seal, ended!),
    { arguments: { item: 'tea' }, data: { id: '7', key: '[secret]' } },
    'and without the key that the application repeats',
  )
  seen.length = 0
  await s.callTool()
  assert.deepEqual(
    seen.map((row) => row['id']),
    [body.log_id],
    'a call that only reads is written down when it has ended',
  )
})

test('log: an execution that failed before its tool ran has a row with the account that the call names', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const id = await keyed(s)
  await s.callTool({ user_id: 'nobody' })
  await s.callTool({ user_id: 'u2', connected_account_id: id })
  await s.callTool({ connected_account_id: 'ca_000000000000' })
  await s.callTool({ arguments: {} })
  await s.callTool({ custom_connection_data: { authScheme: 'API_KEY', toolkitSlug: 'gmail', val: {} } })
  assert.deepEqual(
    (await s.executionRows()).map((row) => [
      row['successful'],
      row['status_code'],
      row['connected_account_id'],
      row['error'],
    ]),
    [
      [false, null, null, 'No active connected account of shop for the user nobody.'],
      [false, null, id, `The user_id does not own the connected account ${id}.`],
      [false, null, 'ca_000000000000', 'Connected account "ca_000000000000" not found'],
      [false, null, id, 'Invalid arguments: id: is required'],
      [
        false,
        null,
        null,
        'Invalid request body: custom_connection_data.toolkitSlug: the tool belongs to shop.',
      ],
    ],
  )
  assert.deepEqual(s.stub.requests, [])
})

test('log: with dont_store_data a row contains no payload and no text of the provider or the tool', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    answer: () => ({ status: 404, json: { message: 'No mail from bob@example.com' } }),
  })
  const id = await keyed(s)
  await s.call(updateProjectConfig, { body: { log_visibility_setting: 'dont_store_data' } })
  assert.match(String((await s.callTool()).body.error), /bob@example.com/)
  await s.callTool({ arguments: { mail: 'x' } })
  await s.callTool({ user_id: 'u2', connected_account_id: id })
  assert.deepEqual(
    (await s.executionRows()).map((row) => [row['payload'], row['error']]),
    [
      [null, '404 Client Error: Not Found'],
      [null, 'The tool failed.'],
      [null, `The user_id does not own the connected account ${id}.`],
    ],
  )
})

test('log: only the beginning of a large payload is stored', async (t) => {
  const seal = newSealer()
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    app: { encryptor: seal },
    answer: () => ({ json: { text: 'y'.repeat(50_000) } }),
  })
  await keyed(s)
  const { body } = await s.callTool({ arguments: { id: 'x'.repeat(5_000) } })
  assert.equal((body.data as { text: string }).text.length, 50_000)
  const { arguments: args, data } = payloadOf(seal, (await s.executionRows())[0]!) as {
    arguments: { id: string }
    data: { truncated: string }
  }
  assert.deepEqual([args.id.length, data], [5_000, { truncated: `{"text":"${'y'.repeat(16_375)}` }])
  await s.callTool({ arguments: { id: 'x'.repeat(20_000) } })
  assert.ok(JSON.stringify(payloadOf(seal, (await s.executionRows())[1]!).arguments).length < 17_000)
})

async function callWithSecrets(t: TestContext) {
  const seal = newSealer()
  const secrets = [
    'the-secret-key',
    'pass-word-1',
    'session-token-1',
    'access-token-1',
    'refresh-token-1',
    CLIENT.client_secret,
    'header-secret-1',
    Buffer.from('ann:pass-word-1').toString('base64'),
  ]
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [
      API_KEY,
      oauth(url),
      {
        ...SIGN_IN,
        apply: { headers: { authorization: 'Session {session_token}', 'x-basic': '{username}:{password}' } },
      },
    ],
    app: { encryptor: seal },
    answer: (request) =>
      request.path === '/session'
        ? { json: { token: 'session-token-1', ttl: 600 } }
        : request.path === '/token'
          ? { status: 400, json: { error: 'temporarily_unavailable', error_description: request.body } }
          : { status: 400, json: { message: `rejected: ${JSON.stringify(request.headers)} ${request.url}` } },
  })
  await keyed(s)
  await s.addAccount(
    await s.addAuthConfig('BASIC'),
    'BASIC',
    { username: 'ann', password: 'pass-word-1' },
    { user_id: 'u2' },
  )
  await s.addAccount(
    await s.addAuthConfig('OAUTH2', CLIENT),
    'OAUTH2',
    { status: 'ACTIVE', access_token: 'access-token-1', refresh_token: 'refresh-token-1', expires_in: 60 },
    { user_id: 'u3' },
  )
  return { replies: await callEachWay(s), s, seal, secrets }
}

/** One call for each kind of credentials, all of which the application rejects. */
async function callEachWay(s: ConnectedAccountsApp) {
  const replies = [
    await s.callTool(),
    await s.callTool({ user_id: 'u2' }),
    await s.callTool({ user_id: 'u3' }),
    await s.callTool({
      custom_auth_params: {
        parameters: [
          { name: 'x-a', in: 'header', value: 'header-secret-1' },
          { name: 'k', in: 'query', value: 'the-secret-key' },
        ],
      },
    }),
    await s.callTool({
      custom_connection_data: {
        authScheme: 'BEARER_TOKEN',
        toolkitSlug: 'shop',
        val: { token: 'access-token-1' },
      },
    }),
  ]
  s.clock.advance(61_000)
  replies.push(await s.callTool({ user_id: 'u3' }))
  return replies
}

test('log: rows, errors and replies contain no credentials, even if the provider repeats them', async (t) => {
  const { replies, s, seal, secrets } = await callWithSecrets(t)
  assert.deepEqual(
    replies.map(({ status, body }) => [status, body.successful ?? body.error.code]),
    [
      [200, false],
      [200, false],
      [200, false],
      [200, false],
      [200, false],
      [502, 1840],
    ],
  )
  const rows = await s.executionRows()
  assert.equal(rows.length, 6)
  const texts = JSON.stringify([
    replies.map(({ body }) => body),
    rows.map(({ payload, ...row }) => [row, payloadOf(seal, { ...row, payload })]),
    await s.app.db.rows(sql`select status_reason from connected_accounts`),
  ])
  assert.match(texts, /\[secret\]/)
  for (const secret of secrets) assert.ok(!texts.includes(secret), `${secret} is in a text`)
})

test('log: the caller receives the result even if its row cannot be written', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY, BASIC],
    answer: () => ({ json: { placed: true } }),
  })
  await keyed(s)
  await s.app.db.run(sql`alter table tool_executions rename to gone`)
  const { status, body } = await s.callTool()
  assert.deepEqual(
    [status, body.successful, body.data, s.stub.requests.length],
    [200, true, { placed: true }, 1],
  )
})

test('log retention: a partition whose rows are all older than the retention period is dropped', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  await partitionByDay(s.app.db, 'executions', [-32, -31, -30, 0])
  await keyed(s)
  for (let n = 0; n < 3; n++) await s.callTool()
  const [old, recent, young] = (await s.executionRows()).map((row) => row['id'])
  await s.app.db.run(
    sql`update tool_executions set created_at = current_date - interval '31 days' where id = ${old}`,
  )
  await s.app.db.run(
    sql`update tool_executions set created_at = current_date - interval '30 days' where id = ${recent}`,
  )
  await s.app.schedules.find(({ task }) => task === 'logs.removeOldExecutions')!.run()
  assert.deepEqual(
    (await s.executionRows()).map((row) => row['id']),
    [recent, young],
  )
  const periods = await listPeriods(s.app.db, 'executions')
  assert.deepEqual(
    periods.map(({ partitions }) => partitions.length),
    [3, 3],
    'the execution log and its usage lost the two oldest days',
  )
})

test('log: a credential is redacted in a result, also if the application escapes its characters', async (t) => {
  const seal = newSealer()
  const secret = 'key/with+slashes/12345'
  const echo = secret.replaceAll('/', '\\/').replace('key', '\\u006bey')
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    app: { encryptor: seal },
    answer: () => ({
      headers: { 'content-type': 'application/json' },
      text: `{"echo":"${echo}","more":"${'x'.repeat(500)}"}`,
    }),
  })
  await keyed(s, secret)
  assert.equal((await s.callTool()).body.successful, true)
  const [row] = await s.executionRows()
  assert.deepEqual((payloadOf(seal, row!).data as { echo: unknown }).echo, '[secret]')
})
