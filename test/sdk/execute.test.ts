import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OpenAIProvider } from '@composio/core'
import { type Recorded, upstream } from '../fixtures/upstream.ts'
import { connectParse, stockSdk } from './stock-sdk.ts'

const VERSION = '20261121_00'
const GAME = { class_name: 'Game', data: { score: 7 } }
const CREATED = { objectId: 'Ed1nuqPvcm', createdAt: '2026-11-21T00:00:00.000Z' }

/** What tools asked, not who was asked whose account it is. */
const toolCalls = ({ requests }: { requests: readonly Recorded[] }) =>
  requests.filter(({ path }) => path !== '/config')

test('a tool runs with the account of the user, and its result arrives whole', async (t) => {
  const sdk = await stockSdk(t)
  const parse = await upstream(t, () => ({ status: 201, json: CREATED }))
  await connectParse(sdk, parse.url, 'ada')
  const result = await sdk.composio.tools.execute('PARSE_CREATE_OBJECT', {
    userId: 'ada',
    version: VERSION,
    arguments: GAME,
  })
  assert.deepEqual(
    { ...result, logId: '' },
    { data: CREATED, error: null, successful: true, logId: '', sessionInfo: null },
  )
  assert.match(result.logId ?? '', /^log_/)
  const [{ method, path, headers, body } = assert.fail(), ...more] = toolCalls(parse)
  assert.deepEqual([method, path, JSON.parse(body), more.length], ['POST', '/classes/Game', { score: 7 }, 0])
  assert.deepEqual(
    [headers['x-parse-application-id'], headers['x-parse-rest-api-key']],
    ['my-app', 'rest-key-1234'],
  )
})

test('a tool without accounts runs, in the latest version where the caller accepts it', async (t) => {
  const { composio } = await stockSdk(t)
  const result = await composio.tools.execute('UTILITIES_GET_CURRENT_TIME', {
    userId: 'ada',
    arguments: {},
    dangerouslySkipVersionCheck: true,
  })
  assert.equal(result.successful, true)
  await assert.rejects(
    composio.tools.execute('UTILITIES_GET_CURRENT_TIME', { userId: 'ada', arguments: {} }),
    { name: 'ComposioToolVersionRequiredError' },
  )
})

test('an error of the application is a result, not an exception', async (t) => {
  const sdk = await stockSdk(t)
  const parse = await upstream(t, () => ({ status: 404, json: { code: 101, error: 'Object not found.' } }))
  await connectParse(sdk, parse.url, 'ada')
  const result = await sdk.composio.tools.execute('PARSE_CREATE_OBJECT', {
    userId: 'ada',
    version: VERSION,
    arguments: GAME,
  })
  assert.equal(result.successful, false)
  assert.match(result.error ?? '', /Object not found/)
  assert.deepEqual([result.data['status_code'], result.data['message']], [404, 'Object not found.'])
})

test('arguments that do not fit are a result that names them, and nothing is sent', async (t) => {
  const sdk = await stockSdk(t)
  const parse = await upstream(t)
  await connectParse(sdk, parse.url, 'ada')
  const result = await sdk.composio.tools.execute('PARSE_CREATE_OBJECT', {
    userId: 'ada',
    version: VERSION,
    arguments: { data: 'x' },
  })
  assert.deepEqual([result.successful, result.data['status_code']], [false, null])
  assert.match(result.error ?? '', /class_name: is required/)
  assert.deepEqual(toolCalls(parse), [])
})

test('auth parameters of the call go before the account: another address, headers and query', async (t) => {
  const sdk = await stockSdk(t)
  const parse = await upstream(t)
  const other = await upstream(t, () => ({ json: CREATED }))
  await connectParse(sdk, parse.url, 'ada')
  const customAuthParams = {
    baseURL: `${other.url}/base`,
    parameters: [
      { in: 'header' as const, name: 'x-parse-session', value: 'abc' },
      { in: 'query' as const, name: 'page', value: 2 },
    ],
  }
  const result = await sdk.composio.tools.execute('PARSE_CREATE_OBJECT', {
    userId: 'ada',
    version: VERSION,
    arguments: GAME,
    customAuthParams,
  })
  assert.equal(result.successful, true)
  assert.deepEqual(
    other.requests.map(({ url, headers }) => [
      url,
      headers['x-parse-session'],
      headers['x-parse-rest-api-key'],
    ]),
    [['/base/classes/Game?page=2', 'abc', undefined]],
  )
  assert.deepEqual(toolCalls(parse), [])
})

test('connection data of the call stands for an account that is stored nowhere', async (t) => {
  const { composio } = await stockSdk(t)
  const parse = await upstream(t, () => ({ json: CREATED }))
  const val = { generic_api_key: 'call-key', server_url: parse.url, application_id: 'call-app' }
  const result = await composio.tools.execute('PARSE_CREATE_OBJECT', {
    userId: 'nobody',
    version: VERSION,
    arguments: GAME,
    customConnectionData: { authScheme: 'API_KEY', toolkitSlug: 'parse', val },
  })
  assert.equal(result.successful, true)
  assert.deepEqual(
    parse.requests.map(({ headers }) => [headers['x-parse-application-id'], headers['x-parse-rest-api-key']]),
    [['call-app', 'call-key']],
  )
  assert.deepEqual((await composio.connectedAccounts.list({})).items, [])
})

test('words of the brand in arguments and results are the user’s and pass unchanged', async (t) => {
  const sdk = await stockSdk(t)
  const words = {
    is_composio_managed: 'use_composio_managed_auth',
    is_service_managed: 'use_service_managed_auth',
    service: 'composio',
    composio: 'service',
  }
  const parse = await upstream(t, () => ({ json: { ...CREATED, ...words } }))
  await connectParse(sdk, parse.url, 'ada')
  const result = await sdk.composio.tools.execute('PARSE_CREATE_OBJECT', {
    userId: 'ada',
    version: VERSION,
    arguments: { class_name: 'Game', data: words },
  })
  assert.deepEqual(result.data, { ...CREATED, ...words })
  assert.deepEqual(
    toolCalls(parse).map(({ body }) => JSON.parse(body)),
    [words],
  )
})

test('a tool call of a model is executed by the default provider, with a result in its format', async (t) => {
  const sdk = await stockSdk(t)
  const parse = await upstream(t, () => ({ json: CREATED }))
  await connectParse(sdk, parse.url, 'ada')
  assert.ok(sdk.composio.provider instanceof OpenAIProvider)
  const message = {
    role: 'assistant',
    tool_calls: [
      {
        id: 'call-1',
        type: 'function',
        function: { name: 'PARSE_CREATE_OBJECT', arguments: JSON.stringify(GAME) },
      },
    ],
  }
  const replies = await sdk.composio.provider.handleToolCalls('ada', { choices: [{ message }] } as never)
  assert.deepEqual(
    replies.map(({ role, tool_call_id: id, content }) => [
      role,
      id,
      (JSON.parse(content as string) as { data: object }).data,
    ]),
    [['tool', 'call-1', CREATED]],
  )
})
