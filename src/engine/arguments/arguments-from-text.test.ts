import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Answer as HttpAnswer, type Recorded, upstream } from '#fixtures/upstream.ts'
import { catalogFromSources } from '../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { executeTool, toolInput } from '../../contract/tools/index.ts'
import {
  API_KEY,
  type ConnectedAccountsApp,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'
import { openAiModel } from '../../platform/llm/index.ts'
import { generateArguments } from './arguments-from-text.ts'

const text = (description = 'Any.') => ({ type: 'string', description })
const MAIL = sampleTool({
  slug: 'SHOP_MAIL',
  effect: 'create',
  description: 'Sends a mail to one person.',
  request: { method: 'POST', path: '/mails', body: ['to', 'subject', 'copies'] },
  input: {
    type: 'object',
    required: ['to'],
    properties: {
      to: { ...text(), pattern: '@' },
      subject: text(),
      copies: { type: 'integer', minimum: 1, default: 1, description: 'Copies.' },
    },
  },
})
const says = (content: unknown, more: object = {}): HttpAnswer => ({
  json: {
    choices: [
      {
        message: { content: typeof content === 'string' ? content : JSON.stringify(content) },
        finish_reason: 'stop',
        ...more,
      },
    ],
  },
})
const fine = (args: object) => says({ arguments: args, error: null })

/** The application with a model that says these things, one after the other. */
async function staged(t: TestContext, ...answers: HttpAnswer[]) {
  const llm = await upstream(t, () => answers.shift() ?? { status: 500, text: 'nothing more to say' })
  const model = openAiModel({ baseUrl: `${llm.url}/v1`, model: 'small-1', apiKey: 'llm-secret-key' })
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools: [MAIL], app: { model } })
  await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'the-secret-key' })
  const input = (body: object, headers: Record<string, string> = {}) =>
    s.as({ 'x-api-key': s.keys.projectApiKey, ...headers })(toolInput, {
      params: { tool_slug: 'shop_mail' },
      body: { text: 'mail bob@b.co', ...body } as never,
    })
  /** What it says from now on. */
  const say = (...next: HttpAnswer[]) => {
    answers.splice(0, Infinity, ...next)
    llm.requests.length = 0
  }
  return {
    ...s,
    llm,
    input,
    say,
    asked: () => llm.requests.map(({ body }) => JSON.parse(body) as Record<string, any>),
  }
}
const run = (s: Pick<ConnectedAccountsApp, 'callTool'>, words: string, more: object = {}) =>
  s.callTool({ text: words, arguments: undefined, ...more }, 'SHOP_MAIL')

test('text: a task in words becomes arguments of the tool, and the tool runs with them', async (t) => {
  const s = await staged(
    t,
    fine({ to: 'bob@b.co', subject: null, copies: null }),
    fine({ to: 'eve@b.co', subject: 'Hi' }),
  )
  const { body } = await run(s, 'mail bob@b.co')
  assert.deepEqual([body.successful, body.error], [true, null])
  assert.deepEqual(
    JSON.parse(s.stub.requests.at(-1)!.body),
    { to: 'bob@b.co', copies: 1 },
    'null is absent, and defaults are filled in',
  )
  const [asked] = s.asked()
  assert.deepEqual(
    [
      asked!['model'],
      asked!['temperature'],
      asked!['messages'].map(({ role }: { role: string }) => role),
      asked!['messages'][1].content,
    ],
    ['small-1', 0, ['system', 'user'], 'mail bob@b.co'],
  )
  assert.match(asked!['messages'][0].content, /Sends a mail to one person\./)
  const {
    json_schema: { name, strict, schema },
  } = asked!['response_format'] as {
    json_schema: { name: string; strict: boolean; schema: Record<string, any> }
  }
  assert.deepEqual(
    [name, strict, schema['additionalProperties'], schema['properties']['arguments']['anyOf'][0]['required']],
    ['SHOP_MAIL', true, false, ['to', 'subject', 'copies']],
  )
  const { path, headers } = s.llm.requests[0] as Recorded
  assert.deepEqual([path, headers['authorization']], ['/v1/chat/completions', 'Bearer llm-secret-key'])
  assert.ok(
    !s.llm.requests[0]!.body.includes('the-secret-key'),
    'no credential of the account goes to the model',
  )
  assert.deepEqual((await s.input({})).body, { arguments: { to: 'eve@b.co', subject: 'Hi', copies: 1 } })
  assert.equal(s.stub.requests.length, 1, 'arguments alone run nothing')
  const [row] = await s.executionRows()
  assert.deepEqual(
    (s.encryptor.decrypt(row!['payload'], `tool_executions:${row!['id']}:payload`) as { arguments: object })
      .arguments,
    { to: 'bob@b.co', copies: 1 },
  )
})

test('text: arguments that do not fit are returned to the model once, with the errors', async (t) => {
  const s = await staged(t)
  for (const [wrong, why] of [
    ['{"arguments": {', /not valid JSON/],
    ['[]', /not a JSON object/],
    [{ arguments: 7, error: null }, /`arguments` is not an object/],
    [{ arguments: { to: 'bob' }, error: null }, /to: must match pattern/],
    [{ arguments: { to: 'a@b.co', cc: 'x' }, error: null }, /cc: is not a known field/],
    [{ arguments: { to: 'a@b.co', copies: 0 }, error: null }, /copies: must be >= 1/],
    ['', /not valid JSON/],
  ] as const) {
    s.say(says(wrong), fine({ to: 'bob@b.co' }))
    assert.deepEqual((await s.input({})).body, { arguments: { to: 'bob@b.co', copies: 1 } }, String(why))
    const second = s.asked()[1]!['messages'] as { role: string; content: string }[]
    assert.deepEqual(
      second.map(({ role }) => role),
      ['system', 'user', 'assistant', 'user'],
    )
    assert.match(second[3]!.content, why)
  }
})

test('text: a task without the required information is a failure with the reason, and nothing is sent', async (t) => {
  const s = await staged(t)
  for (const [answers, error] of [
    [[says({ arguments: null, error: 'Recipient missing' })], /^Recipient missing$/],
    [
      [says({ arguments: {}, error: null }), says({ arguments: {}, error: null })],
      /no arguments that fit.*to: is required/,
    ],
    [
      [says('', { message: { content: null, refusal: 'I cannot help with that.' } })],
      /^I cannot help with that\.$/,
    ],
    [[says('{"arg', { finish_reason: 'length' })], /cut off/],
    [[says(null, { finish_reason: 'content_filter' })], /did not answer because of its content filter/],
  ] as const) {
    const twice = () => s.say(...answers, answers.at(-1) as HttpAnswer)
    twice()
    const { status, body } = await s.input({})
    assert.equal(status, 200)
    assert.match(body.error ?? '', error)
    twice()
    const tool = await run(s, 'mail someone')
    assert.deepEqual([tool.status, tool.body.successful], [200, false])
    assert.match(tool.body.error ?? '', error)
    assert.match(tool.body.log_id, /^log_/)
    assert.equal(s.stub.requests.length, 0)
  }
})

test('text: a busy or unavailable model is an API error, not a failure of the tool', async (t) => {
  const s = await staged(t)
  for (const [answer, status, slug] of [
    [{ status: 429, json: { error: { message: 'quota of org-secret' } } }, 429, 'ActionExecute_ModelBusy'],
    [{ status: 500, text: 'oops' }, 503, 'ActionExecute_ModelUnavailable'],
    [{ status: 401, json: { error: 'bad key llm-secret-key' } }, 503, 'ActionExecute_ModelUnavailable'],
    [{ text: '<html>' }, 503, 'ActionExecute_ModelUnavailable'],
    [{ json: {} }, 503, 'ActionExecute_ModelUnavailable'],
    [{ json: null }, 503, 'ActionExecute_ModelUnavailable'],
    [{ json: { choices: 'x' } }, 503, 'ActionExecute_ModelUnavailable'],
    [{ json: { choices: [{ message: { content: 7 } }] } }, 503, 'ActionExecute_ModelUnavailable'],
    [{ status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 503, 'ActionExecute_ModelUnavailable'],
    [{ text: 'x'.repeat(2_000_001) }, 503, 'ActionExecute_ModelUnavailable'],
  ] as const) {
    s.say(answer as HttpAnswer)
    const reply = await s.input({})
    assert.deepEqual(
      [reply.status, reply.body.error],
      [status, { ...(reply.body.error as unknown as object), slug }],
      slug,
    )
    assert.ok(!/secret|127\.0/.test(JSON.stringify(reply.body)))
  }
})

test('text: models without JSON Schema receive none; prompt, description and gateway headers are sent', async (t) => {
  const s = await staged(
    t,
    { status: 400, json: { error: 'response_format is not supported' } },
    says('```json\n{"arguments": {"to": "bob@b.co"}, "error": null}\n```'),
  )
  const { body } = await s.input(
    { custom_description: 'Only for bob.', system_prompt: 'Be brief.' },
    { 'x-llm-gateway-headers': '{"X-Team": "a", "x-n": 7}' },
  )
  assert.deepEqual(body, { arguments: { to: 'bob@b.co', copies: 1 } })
  assert.deepEqual(
    s.asked().map(({ response_format: { type } }) => type),
    ['json_schema', 'json_object'],
  )
  assert.match(s.asked()[1]!['messages'][0].content, /^Be brief\.\n\nTool: .*\nOnly for bob\.\n/)
  assert.deepEqual(
    s.llm.requests.map(({ headers }) => [headers['x-team'], headers['x-n']]),
    [
      ['a', '7'],
      ['a', '7'],
    ],
  )
  for (const bad of [
    '{',
    '[]',
    '{"host": "x"}',
    '{"a b": "x"}',
    '{"a": {}}',
    '{"a": "x\\r\\ny: z"}',
    '{"content-length": "1"}',
  ])
    assert.equal((await s.input({}, { 'x-llm-gateway-headers': bad })).status, 400, bad)
  assert.equal(s.llm.requests.length, 2)
})

test('text: without a configured model the error is 501; an unknown tool is reported first', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools: [MAIL] })
  for (const reply of [
    await run(s, 'mail bob'),
    await s.call(toolInput, { params: { tool_slug: 'SHOP_MAIL' }, body: { text: 'mail bob' } }),
  ]) {
    assert.deepEqual([reply.status, reply.body.error?.['code' as never]], [501, 1860])
    assert.match(String(reply.body.error?.['suggested_fix' as never]), /LLM_BASE_URL and LLM_MODEL/)
  }
  const both = await s.call(executeTool, {
    params: { tool_slug: 'SHOP_MAIL' },
    body: { text: 'x', arguments: {} },
  })
  assert.equal(both.status, 400)
})

test('text: a model that does not respond ends the call at the deadline', async (t) => {
  const llm = await upstream(t, () => new Promise(() => {}))
  const model = openAiModel({ baseUrl: llm.url, model: 'm', apiKey: undefined })
  const found = catalogFromSources([sampleSource({}, [MAIL])]).tool('SHOP_MAIL', 'latest')!
  await assert.rejects(
    generateArguments(model, found, { text: 'x', headers: {} }, new AbortController().signal, 50),
    { slug: 'ActionExecute_ModelUnavailable', message: 'The language model did not respond in time.' },
  )
  assert.equal(llm.requests[0]?.headers['authorization'], undefined)
})
