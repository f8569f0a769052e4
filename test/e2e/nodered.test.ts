import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { updateConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import { startNodeRed } from '../fixtures/real-applications/node-red.ts'
import { assertRejected, startPlatform } from './platform.ts'

const DAY_MS = 86_400_000
const ANSWER_TIMEOUT_MS = 10_000

async function startNodeRedAccount(t: TestContext) {
  const [platform, nodeRed] = await Promise.all([startPlatform(t), startNodeRed()])
  t.after(() => nodeRed.stop())
  const { connect, callTool, run, data, account, call, clock } = platform
  const open = await platform.project({ mask_secret_keys_in_connected_account: false })
  const [config, openConfig] = [
    await platform.authConfig('nodered', 'BASIC'),
    await open.authConfig('nodered', 'BASIC'),
  ]
  const login = { server_url: nodeRed.url, username: nodeRed.username, password: nodeRed.password }
  await connect(config, 'BASIC', 'ada', login)

  /** How often Node-RED is asked for a token meanwhile. */
  async function tokenRequestsDuring(work: () => Promise<unknown>): Promise<number> {
    const before = (await nodeRed.stats()).tokenRequests
    await work()
    return (await nodeRed.stats()).tokenRequests - before
  }
  return {
    data,
    tokenRequestsDuring,
    connect,
    config,
    login,
    nodeRed,
    account,
    open,
    openConfig,
    clock,
    callTool,
    call,
    run,
    platform,
  }
}

type NodeRedAccount = Awaited<ReturnType<typeof startNodeRedAccount>>

test('a Node-RED, connected by its password', async (t) => {
  const fixture = await startNodeRedAccount(t)

  await t.test(
    'signs in once to ask whose account it is and for many calls, ten at once included, and shows the token to nobody',
    () => checkSignIn(fixture),
  )

  await t.test('signs in again when Node-RED no longer knows the token', () => checkUnknownToken(fixture))

  await t.test('signs in again when the token has come to its end', () => checkExpiredToken(fixture))

  await t.test(
    'a wrong password expires the account with a readable reason, and the right one brings it back',
    () => checkWrongPassword(fixture),
  )

  await t.test(
    'a flow that is deployed answers, does as it is changed to, and is gone when it is deleted',
    () => checkFlow(fixture),
  )

  await t.test(
    'a whole configuration is deployed on top of the revision it was read at, and on no other',
    () => checkConfiguration(fixture),
  )

  await t.test('an inject node is pressed with a payload, and the flow keeps what it got', () =>
    checkInject(fixture),
  )

  await t.test('a token from elsewhere works as it is; if Node-RED does not know it, the error says so', () =>
    checkForeignToken(fixture),
  )
})

async function checkSignIn({
  data,
  tokenRequestsDuring,
  connect,
  config,
  login,
  nodeRed,
  account,
}: NodeRedAccount): Promise<void> {
  let id = ''
  const calls = () => Promise.all(Array.from({ length: 10 }, () => data('NODERED_GET_SETTINGS', {}, 'first')))
  assert.equal(
    await tokenRequestsDuring(async () => {
      id = await connect(config, 'BASIC', 'first', login)
      await calls()
      await calls()
    }),
    1,
  )
  assert.equal((await data('NODERED_GET_SETTINGS', {}, 'first')).user.username, nodeRed.username)
  const { val, text } = await account(id)
  assert.match(String(val['session_token']), /^.{4}\.\.\.$/)
  assert.ok(!text.includes(nodeRed.password))
  assert.ok(text.includes(`"label":"${nodeRed.username}, ${nodeRed.url}"`), text)
}

async function checkUnknownToken({
  open,
  openConfig,
  login,
  nodeRed,
  tokenRequestsDuring,
}: NodeRedAccount): Promise<void> {
  const id = await open.connect(openConfig, 'BASIC', 'revoked', login)
  await open.data('NODERED_GET_SETTINGS', {}, 'revoked')
  const token = String((await open.account(id)).val['session_token'])
  const revoke = await fetch(`${nodeRed.url}/auth/revoke`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ token }),
  })
  assert.equal(revoke.status, 200)
  assert.equal(await tokenRequestsDuring(() => open.data('NODERED_GET_SETTINGS', {}, 'revoked')), 1)
  assert.notEqual((await open.account(id)).val['session_token'], token)
  assert.equal(await tokenRequestsDuring(() => open.data('NODERED_GET_SETTINGS', {}, 'revoked')), 0)
}

async function checkExpiredToken({
  connect,
  config,
  login,
  data,
  clock,
  tokenRequestsDuring,
}: NodeRedAccount): Promise<void> {
  await connect(config, 'BASIC', 'weekly', login)
  await data('NODERED_GET_SETTINGS', {}, 'weekly')
  clock.advance(6 * DAY_MS)
  assert.equal(await tokenRequestsDuring(() => data('NODERED_GET_SETTINGS', {}, 'weekly')), 0)
  clock.advance(DAY_MS)
  assert.equal(
    await tokenRequestsDuring(async () => {
      await data('NODERED_GET_SETTINGS', {}, 'weekly')
      await data('NODERED_GET_SETTINGS', {}, 'weekly')
    }),
    1,
  )
}

async function checkWrongPassword({
  connect,
  config,
  login,
  callTool,
  tokenRequestsDuring,
  account,
  call,
  nodeRed,
}: NodeRedAccount): Promise<void> {
  const wrong = { ...login, password: 'wrong' }
  const id = await connect(config, 'BASIC', 'bob', wrong, { validate_credentials: false })
  const use = () => callTool('NODERED_GET_SETTINGS', {}, { user_id: 'bob', connected_account_id: id })
  assert.equal(
    await tokenRequestsDuring(async () => {
      assertRejected(await use(), 410, 1820, /The application rejected the user name or the password/)
      assertRejected(await use(), 410, 1820, /The application rejected the user name or the password/)
    }),
    1,
  )
  const { status, status_reason } = await account(id)
  assert.deepEqual([status, /user name or the password/.test(status_reason ?? '')], ['EXPIRED', true])
  await call(updateConnectedAccount, {
    params: { nanoid: id },
    body: { connection: { state: { authScheme: 'BASIC', val: { password: nodeRed.password } } } },
  })
  assert.equal((await use()).body.successful, true)
}

async function checkFlow({ data, nodeRed, run }: NodeRedAccount): Promise<void> {
  const { id } = await data(
    'NODERED_CREATE_FLOW',
    { label: 'Greeting', nodes: greeting('/greet', 'Hello') },
    'ada',
  )
  assert.equal(await answerOf(`${nodeRed.url}/greet?name=Ada`, 200), 'Hello Ada')
  const listed = await data('NODERED_LIST_FLOWS', {}, 'ada')
  assert.deepEqual(
    listed.flows.find((flow: { id: string }) => flow.id === id),
    {
      id,
      label: 'Greeting',
      disabled: false,
      node_count: 3,
      node_types: { 'http in': 1, function: 1, 'http response': 1 },
    },
  )
  const { nodes } = await data('NODERED_GET_FLOW', { flow_id: id }, 'ada')
  await data(
    'NODERED_UPDATE_FLOW',
    {
      flow_id: id,
      label: 'Farewell',
      nodes: nodes.map((node: { type: string; url?: string; func?: string }) => ({
        ...node,
        ...(node.type === 'http in' ? { url: '/leave' } : {}),
        ...(node.func ? { func: node.func.replace('Hello', 'Goodbye') } : {}),
      })),
    },
    'ada',
  )
  assert.equal(await answerOf(`${nodeRed.url}/leave?name=Ada`, 200), 'Goodbye Ada')
  await answerOf(`${nodeRed.url}/greet`, 404)
  await data('NODERED_DELETE_FLOW', { flow_id: id }, 'ada')
  await answerOf(`${nodeRed.url}/leave`, 404)
  const missing = await run('NODERED_GET_FLOW', { flow_id: id }, 'ada')
  assert.deepEqual([missing.successful, missing.data['status_code']], [false, 404])
}

async function checkConfiguration({ data, nodeRed, run }: NodeRedAccount): Promise<void> {
  const { rev, flows } = await data('NODERED_GET_CONFIGURATION', {}, 'ada')
  const more = [
    { id: 'tab1', type: 'tab', label: 'Ping' },
    ...greeting('/ping', 'Pong').map((node) => ({ ...node, z: 'tab1' })),
  ]
  const deployed = await data(
    'NODERED_DEPLOY_CONFIGURATION',
    { rev, flows: [...flows, ...more], deployment_type: 'flows' },
    'ada',
  )
  assert.notEqual(deployed.rev, rev)
  assert.equal(await answerOf(`${nodeRed.url}/ping?name=you`, 200), 'Pong you')
  const stale = await run('NODERED_DEPLOY_CONFIGURATION', { rev, flows: [] }, 'ada')
  assert.deepEqual([stale.successful, stale.data['status_code']], [false, 409])
  assert.equal(await answerOf(`${nodeRed.url}/ping?name=you`, 200), 'Pong you')
}

async function checkInject({ data, nodeRed }: NodeRedAccount): Promise<void> {
  const { id } = await data(
    'NODERED_CREATE_FLOW',
    {
      label: 'Button',
      nodes: [
        {
          id: 'press',
          type: 'inject',
          x: 1,
          y: 1,
          props: [{ p: 'payload' }],
          once: false,
          wires: [['keep']],
        },
        {
          id: 'keep',
          type: 'change',
          x: 2,
          y: 1,
          rules: [{ t: 'set', p: 'pressed', pt: 'flow', to: 'payload', tot: 'msg' }],
          wires: [['show']],
        },
        { id: 'show-in', type: 'http in', x: 1, y: 2, url: '/pressed', method: 'get', wires: [['read']] },
        {
          id: 'read',
          type: 'change',
          x: 2,
          y: 2,
          rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'pressed', tot: 'flow' }],
          wires: [['show']],
        },
        { id: 'show', type: 'http response', x: 3, y: 2, wires: [] },
      ],
    },
    'ada',
  )
  const { nodes } = await data('NODERED_GET_FLOW', { flow_id: id }, 'ada')
  const button = nodes.find((node: { type: string }) => node.type === 'inject').id
  await answerOf(`${nodeRed.url}/pressed`, 200)
  assert.deepEqual(
    await data(
      'NODERED_TRIGGER_INJECT_NODE',
      { node_id: button, payload: '42', payload_type: 'number' },
      'ada',
    ),
    { triggered: true },
  )
  assert.equal(await answerOf(`${nodeRed.url}/pressed`, 200, '42'), '42')
}

async function checkForeignToken({
  nodeRed,
  platform,
  connect,
  tokenRequestsDuring,
  data,
  account,
  run,
}: NodeRedAccount): Promise<void> {
  const reply = await fetch(`${nodeRed.url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: 'node-red-admin',
      grant_type: 'password',
      scope: '*',
      username: nodeRed.username,
      password: nodeRed.password,
    }),
  })
  const { access_token: token } = (await reply.json()) as { access_token: string }
  const bearer = await platform.authConfig('nodered', 'BEARER_TOKEN')
  const id = await connect(bearer, 'BEARER_TOKEN', 'carol', { server_url: nodeRed.url, token })
  assert.equal(await tokenRequestsDuring(() => data('NODERED_LIST_FLOWS', {}, 'carol')), 0)
  assert.ok(!(await account(id)).text.includes(token))
  const unknown = { server_url: nodeRed.url, token: 'made-up' }
  const stranger = await connect(bearer, 'BEARER_TOKEN', 'dave', unknown, { validate_credentials: false })
  const failed = await run('NODERED_GET_SETTINGS', {}, 'dave')
  assert.deepEqual([failed.successful, failed.data['status_code']], [false, 401])
  assert.equal((await account(stranger)).status, 'ACTIVE')
}

function greeting(url: string, word: string): Record<string, unknown>[] {
  const id = (name: string) => `${name}${url.replace('/', '-')}`
  return [
    { id: id('in'), type: 'http in', x: 1, y: 1, url, method: 'get', wires: [[id('say')]] },
    {
      id: id('say'),
      type: 'function',
      x: 2,
      y: 1,
      func: `msg.payload = '${word} ' + msg.req.query.name\nreturn msg`,
      outputs: 1,
      wires: [[id('out')]],
    },
    { id: id('out'), type: 'http response', x: 3, y: 1, wires: [] },
  ]
}

/** Node-RED answers a deployment some milliseconds before its nodes run: asks until it answers as wanted. */
async function answerOf(url: string, status: number, text?: string): Promise<string> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  for (;;) {
    const reply = await fetch(url, { signal })
    const body = await reply.text()
    if (reply.status === status && (text === undefined || body === text)) return body
  }
}
