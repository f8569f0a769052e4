import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ComposioToolExecutionError,
  ComposioToolFetchError,
  ComposioToolkitFetchError,
  ComposioToolNotFoundError,
} from '@composio/core'
import {
  APIError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from '@composio/client'
import { createProjectKey } from '../../src/contract/projects/index.ts'
import { upstream } from '../fixtures/upstream.ts'
import { connectParse, type StockSdk, stockSdk } from './stock-sdk.ts'

const CLOSED = 'http://127.0.0.1:9/parse'
const GAME = { version: '20261121_00', arguments: { class_name: 'Game', data: { score: 7 } } }

/** The error of the HTTP client: thrown as it is, or carried by a typed one. */
async function refusal(
  call: Promise<unknown>,
): Promise<{ error: Error; http: APIError; slug: string; code: number }> {
  const error = await call.then(
    () => assert.fail('the call succeeded'),
    (one: unknown) => one as Error,
  )
  const http = error instanceof APIError ? error : (error.cause as APIError)
  assert.ok(http instanceof APIError, String(error))
  const envelope = (
    http.error as {
      error: { slug: string; code: number; status: number; request_id: string; suggested_fix: string }
    }
  ).error
  assert.deepEqual(
    [envelope.status, envelope.request_id, envelope.suggested_fix.length > 0],
    [http.status, http.headers?.get('x-request-id'), true],
  )
  return { error, http, slug: envelope.slug, code: envelope.code }
}
const executions = ({ seen }: StockSdk) =>
  seen.filter(({ method, path }) => method === 'POST' && path.includes('/tools/execute'))

test('a wrong key is an authentication error, itself or as the cause of a typed one', async (t) => {
  const { withKey } = await stockSdk(t)
  const stranger = withKey('ak_nobody')
  assert.ok((await refusal(stranger.authConfigs.list())).error instanceof AuthenticationError)
  const listed = await refusal(stranger.toolkits.get({}))
  assert.ok(listed.error instanceof ComposioToolkitFetchError && listed.http instanceof AuthenticationError)
  const executed = await refusal(
    stranger.tools.execute('UTILITIES_GET_CURRENT_TIME', { userId: 'ada', ...GAME }),
  )
  assert.ok(executed.error instanceof ComposioToolFetchError && executed.http instanceof AuthenticationError)
  for (const { slug } of [listed, executed]) assert.equal(slug, 'APIKey_InvalidAPIKey')
})

test('a key without the permission is a permission error', async (t) => {
  const { org, keys, withKey } = await stockSdk(t)
  const { body } = await org(createProjectKey, {
    params: { nano_id: keys.projectId },
    body: { permissions: { toolkits: ['read'] } },
  })
  const reader = withKey(body.key)
  assert.ok((await reader.toolkits.get({})).length > 0)
  assert.ok((await refusal(reader.authConfigs.list())).error instanceof PermissionDeniedError)
})

test('a bad request names every mistake', async (t) => {
  const { composio } = await stockSdk(t)
  const { error, http } = await refusal(
    composio.authConfigs.create('parse', {
      type: 'use_custom_auth',
      authScheme: 'API_KEY',
      name: 'x'.repeat(129),
      credentials: {},
    }),
  )
  assert.ok(error instanceof BadRequestError)
  assert.match(
    (http.error as { error: { errors: string[] } }).error.errors.join(),
    /payload\.auth_config\.name/,
  )
})

test('what is not there is a not-found error, everywhere', async (t) => {
  const { composio } = await stockSdk(t)
  assert.ok((await refusal(composio.authConfigs.get('ac_nowhere12345'))).error instanceof NotFoundError)
  assert.ok((await refusal(composio.connectedAccounts.get('ca_nowhere12345'))).error instanceof NotFoundError)
  assert.ok(
    (await refusal(composio.connectedAccounts.initiate('ada', 'ac_nowhere12345'))).error instanceof
      NotFoundError,
  )
  const toolless = await refusal(composio.tools.execute('PARSE_MAKE_COFFEE', { userId: 'ada', ...GAME }))
  assert.ok(toolless.error instanceof ComposioToolNotFoundError && toolless.http instanceof NotFoundError)
})

test('executing without account, with an unknown one, or a tool not allowed: each has its own error', async (t) => {
  const sdk = await stockSdk(t)
  const { composio } = sdk
  const { authConfigId, request } = await connectParse(sdk, CLOSED, 'ada')
  await composio.authConfigs.update(authConfigId, {
    type: 'custom',
    credentials: {},
    toolAccessConfig: { toolsAvailableForExecution: ['PARSE_GET_OBJECT'] },
  })
  const failures = await Promise.all(
    [
      composio.tools.execute('PARSE_CREATE_OBJECT', { userId: 'bob', ...GAME }),
      composio.tools.execute('PARSE_CREATE_OBJECT', {
        userId: 'ada',
        connectedAccountId: 'ca_nowhere12345',
        ...GAME,
      }),
      composio.tools.execute('PARSE_CREATE_OBJECT', {
        userId: 'bob',
        connectedAccountId: request.id,
        ...GAME,
      }),
      composio.tools.execute('PARSE_CREATE_OBJECT', { userId: 'ada', ...GAME }),
    ].map(refusal),
  )
  assert.deepEqual(
    failures.map(({ error, slug, code }) => [error instanceof ComposioToolExecutionError, slug, code]),
    [
      [true, 'ActionExecute_ConnectedAccountNotFound', 1810],
      [true, 'ConnectedAccount_ResourceNotFound', 606],
      [true, 'ActionExecute_ConnectedAccountEntityIdMismatch', 1812],
      [true, 'ActionExecute_ToolNotAllowed', 1823],
    ],
  )
})

test('an execution is sent once, whatever its result and the default retries of the client', async (t) => {
  const sdk = await stockSdk(t)
  await connectParse(sdk, CLOSED, 'ada')
  const failed = await refusal(sdk.composio.tools.execute('PARSE_CREATE_OBJECT', { userId: 'ada', ...GAME }))
  assert.deepEqual(
    [failed.http instanceof InternalServerError, failed.slug],
    [true, 'ActionExecute_UpstreamUnreachable'],
  )
  const raw = await refusal(
    sdk.composio.getClient().tools.execute('PARSE_CREATE_OBJECT', { user_id: 'ada', ...GAME }),
  )
  assert.equal(raw.http.headers?.get('x-should-retry'), 'false')
  assert.deepEqual(
    executions(sdk).map(({ headers }) => headers['x-stainless-retry-count']),
    ['0', '0'],
  )
})

test('without the header the client repeats such a call: it is the header that stops it', async (t) => {
  const sdk = await stockSdk(t)
  const careless = await upstream(t, () => ({
    status: 502,
    headers: { 'retry-after-ms': '1' },
    json: { error: {} },
  }))
  await assert.rejects(
    sdk.composio
      .getClient()
      .withOptions({ baseURL: careless.url })
      .tools.execute('PARSE_CREATE_OBJECT', { user_id: 'ada' }),
    InternalServerError,
  )
  assert.equal(careless.requests.length, 3)
})

test('a conflict is reported at once and not tried again', async (t) => {
  const sdk = await stockSdk(t)
  const { composio } = sdk
  const { authConfigId, config } = await connectParse(sdk, CLOSED, 'ada')
  const connect = () =>
    composio.connectedAccounts.initiate('ada', authConfigId, { config, alias: 'work', allowMultiple: true })
  await connect()
  const before = sdk.seen.length
  assert.ok((await refusal(connect())).error instanceof ConflictError)
  assert.deepEqual(
    sdk.seen.slice(before).map(({ method }) => method),
    ['GET', 'POST'],
  )
})

test('too many calls are a rate-limit error with the time to wait', async (t) => {
  const { composio } = await stockSdk(t, { rateLimitPerMinute: 1 })
  const once = composio.getClient().withOptions({ maxRetries: 0 })
  await once.toolkits.retrieve('parse')
  const { error, http } = await refusal(once.toolkits.retrieve('parse'))
  assert.ok(error instanceof RateLimitError)
  assert.ok(Number(http.headers?.get('retry-after')) >= 1)
})

test('a link to the hosted page is what the SDK hands on to the user', async (t) => {
  const sdk = await stockSdk(t)
  const { authConfigId } = await connectParse(sdk, CLOSED, 'ada')
  const { redirectUrl } = await sdk.composio.connectedAccounts.link('bob', authConfigId)
  assert.match(redirectUrl ?? '', /\/link\/lk_\w+$/)
})

test('the realtime channel on a server without https is rejected with what to do', async (t) => {
  const { composio } = await stockSdk(t)
  const error = await composio.triggers
    .subscribe(() => {})
    .then(
      () => assert.fail('it subscribed'),
      (one: Error) => one,
    )
  let cause: unknown = error
  while (cause instanceof Error && !(cause instanceof APIError)) cause = cause.cause
  assert.ok(cause instanceof BadRequestError, String(error))
  assert.match(cause.message, /only reachable with https.*PUBLIC_URL=https:.*patchbay listen/s)
})
