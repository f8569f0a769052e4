import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { upstream } from '#fixtures/upstream.ts'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import {
  createSession,
  executeInSession,
  proxyInSession,
  updateSession,
} from '../../../contract/sessions/index.ts'
import { signature } from '../../../platform/webhook-signature.ts'
import { createWebhook } from '../../../contract/webhooks/index.ts'
import { ModelError } from '../../../platform/llm/index.ts'
import { API_KEY, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { parseHook } from './hook-config.ts'
import { readHookDecision } from './hook-decision.ts'

const TOOLS = [
  sampleTool(),
  sampleTool({ slug: 'SHOP_DROP', effect: 'delete', request: { method: 'DELETE', path: '/orders/{id}' } }),
]
const BEFORE = { type: 'before_execute', handler: { type: 'webhook' } }
const AFTER = { type: 'after_execute', handler: { type: 'webhook' } }

type Responses = {
  receiver: (message: any) => { status?: number; json?: unknown; text?: string }
  model: () => Promise<{ text: string; isCut: boolean }>
}

/** The application with a receiver of hooks and a model, whose responses a test sets in `responses`. */
async function startHooks(t: TestContext) {
  const responses: Responses = {
    receiver: () => ({ json: { action: 'run' } }),
    model: async () => ({ text: '{"holds":false}', isCut: false }),
  }
  const receiver = await upstream(t, ({ body }) => responses.receiver(JSON.parse(body)) as never)
  const asked: string[] = []
  const model = {
    complete: async (ask: { messages: readonly { content: string }[] }) => {
      asked.push(ask.messages.map(({ content }) => content).join('\n'))
      return responses.model()
    },
    close: async () => {},
  }
  const s = await startConnectedAccountsApp(t, {
    auth: [{ ...API_KEY, validate: undefined }],
    tools: TOOLS,
    app: { model },
    answer: ({ path }) => ({ json: { id: path.split('/').at(-1), price: 5 } }),
  })
  const { call, stub } = s
  await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'key-12345' })
  const subscribe = async (events: string[]) =>
    (
      await call(createWebhook, {
        body: { webhook_url: `${receiver.url}/${events.length}`, enabled_events: events as never },
      })
    ).body
  const opened = async (hooks: unknown[], experimental?: object) =>
    call(createSession, { body: { user_id: 'u1', hooks, ...(experimental && { experimental }) } as never })
  const open = async (...hooks: unknown[]) => (await opened(hooks)).body.session_id
  const run = async (session_id: string, id = '7', tool_slug = 'SHOP_GET_ORDER') => {
    const before = stub.requests.length
    const { status, body } = await call(executeInSession, {
      params: { session_id },
      body: { tool_slug, arguments: { id } },
    })
    return { status, body, sent: stub.requests.slice(before).map(({ path }) => path) }
  }
  return { s, call, stub, receiver, asked, responses, subscribe, opened, open, run }
}

type Hooks = Awaited<ReturnType<typeof startHooks>>

test('session hooks: receive every call before and after it runs', async (t) => {
  const hooks = await startHooks(t)

  await t.test(
    'session hooks: without a receiver, a before hook blocks the call and an after hook returns the result',
    () => checkWithoutReceiver(hooks),
  )

  const subscription = await hooks.subscribe([
    'service.session_hook.before_execute',
    'service.session_hook.after_execute',
  ])

  await t.test('session hooks: the receiver gets a signed message and decides', () =>
    checkDecisions(hooks, subscription),
  )

  await t.test('session hooks: run in order for their toolkits, and proxy requests are rejected', () =>
    checkOrder(hooks),
  )

  await t.test(
    'session hooks: the model evaluates a condition, and the call is blocked without a response',
    () => checkConditions(hooks),
  )

  await t.test('session hooks: invalid hooks are rejected when the session is configured', () =>
    checkInvalidHooks(hooks),
  )
})

async function checkWithoutReceiver({ open, run }: Hooks): Promise<void> {
  const { body, sent } = await run(await open(BEFORE))
  assert.deepEqual(
    [
      body.data,
      body.result_type,
      /did not respond/.test(body.error ?? ''),
      body.block_reason === body.error,
      body.hook_results?.map(({ hook_id, action }) => [hook_id, action]),
      sent,
    ],
    [{}, 'blocked', true, true, [['hk_1', 'no_answer']], []],
  )
  assert.deepEqual(
    [
      (await run(await open(AFTER))).body.data,
      (await run(await open({ ...BEFORE, handler: { type: 'webhook', on_failure: 'run' } }))).sent,
    ],
    [{ id: '7', price: 5 }, ['/orders/7']],
  )
  const closed = await run(await open({ ...AFTER, handler: { type: 'webhook', on_failure: 'block' } }))
  assert.deepEqual([closed.body.data, closed.body.result_type, closed.sent], [{}, 'blocked', ['/orders/7']])
}

async function checkDecisions(fixture: Hooks, subscription: { id: string; secret: string }): Promise<void> {
  const { open } = fixture
  const handler = { type: 'webhook', subscription_id: subscription.id }
  const session = await open({ ...BEFORE, name: 'look', handler }, AFTER)
  await checkSignedMessages(fixture, session, subscription.secret)
  await checkDecisionsBefore(fixture, session)
  await checkDecisionsAfter(fixture, session)
  await checkHookOverMcp(fixture)
}

async function checkSignedMessages({ run, receiver }: Hooks, session: string, secret: string): Promise<void> {
  const { body } = await run(session)
  assert.deepEqual([body.error, body.data, body.result_type], [null, { id: '7', price: 5 }, undefined])
  const [first, second] = receiver.requests
    .slice(-2)
    .map(({ headers, body: text }) => ({ headers, text, message: JSON.parse(text) }))
  const { id, type, metadata, data } = first!.message
  assert.deepEqual(
    [
      type,
      metadata.session_id,
      metadata.hook_id,
      metadata.tool_slug,
      metadata.toolkit_slug,
      metadata.user_id,
      /^ca_/.test(metadata.connected_account_id),
      data,
    ],
    [
      'service.session_hook.before_execute',
      session,
      'hk_1',
      'SHOP_GET_ORDER',
      'shop',
      'u1',
      true,
      { arguments: { id: '7' } },
    ],
  )
  assert.deepEqual(
    [first!.headers['webhook-id'], first!.headers['webhook-signature']],
    [id, signature([secret], id, Number(first!.headers['webhook-timestamp']), first!.text)],
  )
  assert.deepEqual(
    [second!.message.type, second!.message.metadata.hook_id, second!.message.data.result],
    [
      'service.session_hook.after_execute',
      'hk_2',
      { data: { id: '7', price: 5 }, error: null, successful: true },
    ],
  )
}

async function checkDecisionsBefore({ run, responses }: Hooks, session: string): Promise<void> {
  for (const [answer, error, expectedData, sent] of [
    [{ action: 'block', message: 'Not on Sundays.' }, 'Not on Sundays.', {}, []],
    [{ action: 'modify', arguments: { id: '9' } }, null, { id: '9', price: 5 }, ['/orders/9']],
    [{ action: 'modify', data: { id: 'hidden' } }, 'The hook hk_1', {}, []],
    [{ action: 'modify', arguments: { nothing: 1 } }, 'A hook changed the arguments. Invalid', {}, []],
    [{ action: 'withhold' }, 'The hook hk_1', {}, []],
    ['no json', 'The hook hk_1', {}, []],
    [[], 'The hook hk_1', {}, []],
  ] as [unknown, string | null, object, string[]][]) {
    responses.receiver = ({ type: of }) =>
      of.endsWith('before_execute')
        ? typeof answer === 'string'
          ? { text: answer }
          : { json: answer }
        : { json: { action: 'run' } }
    const ran = await run(session)
    assert.deepEqual(
      [ran.sent, error === null ? ran.body.error : String(ran.body.error).startsWith(error)],
      [sent, error === null ? null : true],
      JSON.stringify([answer, ran.body]),
    )
    if (error === null) assert.deepEqual(ran.body.data, expectedData)
  }
}

async function checkDecisionsAfter({ run, responses }: Hooks, session: string): Promise<void> {
  for (const [answer, error, expectedData] of [
    [{ action: 'withhold', message: 'Too private.' }, 'Too private.', {}],
    [{ action: 'modify', data: { id: 'hidden' } }, null, { id: 'hidden' }],
    [{ action: 'block' }, null, { id: '7', price: 5 }],
  ] as const) {
    responses.receiver = ({ type: of }) => ({
      json: of.endsWith('after_execute') ? answer : { action: 'run' },
    })
    const ran = await run(session)
    assert.deepEqual([ran.body.error, ran.body.data, ran.sent], [error, expectedData, ['/orders/7']])
  }
  responses.receiver = () => ({ status: 500, json: { action: 'run' } })
  assert.deepEqual((await run(session)).sent, [], 'a failed response is no response')
}

async function checkHookOverMcp({ call, s }: Hooks): Promise<void> {
  const listed = (
    await call(createSession, {
      body: { user_id: 'u1', hooks: [BEFORE], preload: { tools: ['SHOP_GET_ORDER'] } } as never,
    })
  ).body.session_id
  const over = await s.app.http.inject({
    method: 'POST',
    url: `/tool_router/${listed}/mcp`,
    headers: {
      'x-api-key': s.keys.projectApiKey,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    payload: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'SHOP_GET_ORDER', arguments: { id: '7' } },
    },
  })
  assert.match(over.json().result.structuredContent.error, /^The hook hk_1 of the session did not respond/)
}

async function checkOrder({ open, run, call, stub, responses }: Hooks): Promise<void> {
  responses.receiver = ({ metadata, data }) => ({
    json:
      metadata.hook_id === 'a'
        ? { action: 'modify', arguments: { id: `${data.arguments.id}a` } }
        : { action: 'modify', arguments: { id: `${data.arguments.id}b` } },
  })
  const session = await open(
    { ...BEFORE, id: 'a', applies_to: { toolkits: ['SHOP'] } },
    { ...BEFORE, id: 'b' },
    { ...BEFORE, id: 'c', applies_to: { toolkits: ['gmail'] } },
  )
  assert.deepEqual((await run(session)).sent, ['/orders/7ab'])
  const before = stub.requests.length
  const raw = await call(proxyInSession, {
    params: { session_id: session },
    body: { toolkit_slug: 'shop', endpoint: '/orders/7', method: 'GET' },
  })
  assert.deepEqual([raw.status, stub.requests.length - before], [403, 0])
  await call(updateSession, { params: { session_id: session }, body: { hooks: null } })
  assert.deepEqual((await run(session)).sent, ['/orders/7'])
}

async function checkConditions({ open, run, asked, responses }: Hooks): Promise<void> {
  const session = await open({
    type: 'before_execute',
    handler: { type: 'condition_check', condition: 'The order is number 13.' },
  })
  assert.deepEqual((await run(session)).sent, ['/orders/7'])
  assert.match(asked.at(-1) ?? '', /number 13[^]*"id":"7"/)
  for (const judge of [
    async () => ({ text: '{"holds":true}', isCut: false }),
    async () => ({ text: 'null', isCut: false }),
    async () => ({ text: '{', isCut: false }),
    async () => {
      throw new ModelError('busy', 'busy')
    },
  ]) {
    responses.model = judge
    assert.deepEqual((await run(session)).sent, [])
  }
}

async function checkInvalidHooks({ s, opened }: Hooks): Promise<void> {
  const other = await s.otherProject()
  const theirs = (
    await other(createWebhook, {
      body: {
        webhook_url: 'https://hooks.example.com/x',
        enabled_events: ['service.session_hook.before_execute'],
      },
    })
  ).body.id
  for (const [hook, said] of [
    [{ ...BEFORE, handler: { type: 'script' } }, /webhook or condition_check/],
    [{ ...BEFORE, handler: { type: 'webhook', timeout_ms: 60_000 } }, /100 to 5000/],
    [{ ...BEFORE, handler: { type: 'webhook', on_failure: 'retry' } }, /block or run/],
    [{ ...BEFORE, handler: { type: 'webhook', subscription_id: theirs } }, /no enabled webhook subscription/],
    [{ ...BEFORE, handler: { type: 'condition_check' } }, /handler.condition/],
    [{ ...BEFORE, handler: { type: 'condition_check', condition: 'x', action: 'ask' } }, /must be block/],
  ] as const) {
    const { status, body } = await opened([hook])
    assert.deepEqual([status, said.test(JSON.stringify(body))], [400, true], JSON.stringify(body))
  }
  assert.equal(
    (
      await opened([
        { ...BEFORE, id: 'a' },
        { ...AFTER, id: 'a' },
      ])
    ).status,
    400,
  )
}

test('session hooks: random hooks and decisions are parsed or rejected', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (handler, type) => {
      assert.ok(
        'problem' in parseHook({ type, handler, applies_to: handler }, 0) || type === 'before_execute',
      )
    }),
    { numRuns: 200 },
  )
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const said = readHookDecision('before_execute', text)
      assert.ok(said === undefined || 'action' in said)
    }),
    { numRuns: 200 },
  )
})
