import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { startSignIn, type SignIn } from '#fixtures/mcp-sign-in.ts'
import { type ProvenClient, pushRequest, signInAs, startProvenClient } from '#fixtures/proven-client.ts'
import { sql } from '../../../platform/db/sql.ts'

test('MCP authorization: clients that prove themselves', async (t) => {
  const fixture = await startSignIn(t)
  await t.test(
    'MCP authorization: a client of oauth4webapi pushes its request, proves its key and signs assertions, from ' +
      'sign-in to revocation',
    () => checkWholeFlow(fixture),
  )
  await t.test(
    'MCP authorization: a refresh token of a public client is bound to its key, that of another client to the client',
    () => checkRefreshKeys(fixture),
  )
  await t.test('MCP authorization: a pushed request works once, in time, and for its client only', () =>
    checkPushedRequests(fixture),
  )
  await t.test(
    'MCP authorization: a client that registered pushed requests and bound tokens cannot leave them out',
    () => checkRegisteredPromises(fixture),
  )
})

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const MCP_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** Lists the tools of the MCP server with a token. */
const listTools = (
  { options, withNonce }: ProvenClient,
  fixture: SignIn,
  token: string,
  DPoP?: oauth.DPoPHandle,
): Promise<Response> =>
  withNonce(() =>
    oauth.protectedResourceRequest(
      token,
      'POST',
      new URL(fixture.address('?user_id=ada')),
      new Headers(MCP_HEADERS),
      LIST,
      { ...options, ...(DPoP && { DPoP }) },
    ),
  )

const refresh = (
  { server, client, auth, options, withNonce }: ProvenClient,
  token: string,
  DPoP?: oauth.DPoPHandle,
): Promise<oauth.TokenEndpointResponse> =>
  withNonce(async () =>
    oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, auth, token, {
        ...options,
        ...(DPoP && { DPoP }),
      }),
    ),
  )

const errorOf = async (run: Promise<unknown>): Promise<string | undefined> =>
  run.then(
    () => undefined,
    (error: unknown) => (error instanceof oauth.ResponseBodyError ? error.error : String(error)),
  )

async function checkWholeFlow(fixture: SignIn): Promise<void> {
  const proven = await startProvenClient(fixture, {
    metadata: { dpop_bound_access_tokens: true, require_pushed_authorization_requests: true },
  })
  const { registration, newProver, server, client, auth, options } = proven
  assert.deepEqual(
    [
      registration['token_endpoint_auth_method'],
      registration['client_secret'],
      registration['dpop_bound_access_tokens'],
      registration['require_pushed_authorization_requests'],
    ],
    ['private_key_jwt', undefined, true, true],
  )
  const DPoP = await newProver()
  const tokens = await signInAs('ada', proven, fixture, DPoP)
  assert.equal(tokens.token_type, 'dpop')
  const listed = await listTools(proven, fixture, tokens.access_token, DPoP)
  assert.deepEqual(
    [listed.status, ((await listed.json()) as { result: object }).result !== undefined],
    [200, true],
  )
  assert.ok(listed.headers.get('dpop-nonce'), 'the next nonce comes with the response')
  const bearer = await fixture.listing(tokens.access_token)
  assert.deepEqual(
    [
      bearer.statusCode,
      bearer.json().error.slug,
      /^Bearer .*invalid_token/.test(String(bearer.headers['www-authenticate'])),
    ],
    [401, 'Mcp_TokenInvalid', true],
    'a stolen token alone is worth nothing',
  )
  const thief = await errorOf(listTools(proven, fixture, tokens.access_token, await newProver()))
  assert.match(thief ?? '', /WWW-Authenticate/i)
  const next = await refresh(proven, tokens.refresh_token!, DPoP)
  assert.equal((await listTools(proven, fixture, next.access_token, DPoP)).status, 200)
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, auth, next.refresh_token!, options),
  )
  assert.equal(await errorOf(refresh(proven, next.refresh_token!, DPoP)), 'invalid_grant')
}

async function checkRefreshKeys(fixture: SignIn): Promise<void> {
  const open = await startProvenClient(fixture, { hasAssertions: false })
  const first = await open.newProver()
  const tokens = await signInAs('ada', open, fixture, first)
  assert.equal(await errorOf(refresh(open, tokens.refresh_token!, await open.newProver())), 'invalid_grant')
  assert.equal(await errorOf(refresh(open, tokens.refresh_token!)), 'invalid_dpop_proof')
  assert.equal((await refresh(open, tokens.refresh_token!, first)).token_type, 'dpop')

  const confidential = await startProvenClient(fixture)
  const others = await signInAs('ada', confidential, fixture, await confidential.newProver())
  assert.equal(await errorOf(refresh(confidential, others.refresh_token!)), 'invalid_dpop_proof')
  const second = await confidential.newProver()
  const renewed = await refresh(confidential, others.refresh_token!, second)
  assert.equal((await listTools(confidential, fixture, renewed.access_token, second)).status, 200)

  const plain = await startProvenClient(fixture, { hasAssertions: false })
  const bearer = await signInAs('ada', plain, fixture)
  assert.equal(bearer.token_type, 'bearer')
  assert.match(
    (await errorOf(listTools(plain, fixture, bearer.access_token, await plain.newProver()))) ?? '',
    /WWW-Authenticate/i,
    'a bearer token is not accepted as a bound one',
  )
}

async function checkPushedRequests(fixture: SignIn): Promise<void> {
  const proven = await startProvenClient(fixture)
  const other = await startProvenClient(fixture)
  const { url } = await pushRequest(proven, fixture)
  const foreign = new URL(url)
  foreign.searchParams.set('client_id', other.client.client_id)
  const open = async (address: string) => (await fixture.begin(address)).first.status
  assert.deepEqual(
    [await open(foreign.href), await open(url), await open(url)],
    [410, 302, 410],
    'of another client, first use, second use',
  )
  const late = await pushRequest(proven, fixture)
  await fixture.db.run(sql`update mcp_pushed_requests set expires_at = now() - interval '1 second'`)
  assert.equal(await open(late.url), 410)
  const changed = new URL((await pushRequest(proven, fixture)).url)
  changed.searchParams.set('redirect_uri', 'https://evil.example/cb')
  assert.equal(await open(changed.href), 302, 'parameters next to request_uri are not read')
  const stored = await fixture.db.rows<object>(sql`select * from mcp_pushed_requests`)
  assert.ok(!JSON.stringify(stored).includes('mpr_'))
  for (const [more, error] of [
    [{ request_uri: 'urn:x' }, 'invalid_request'],
    [{ redirect_uri: 'https://evil.example/cb' }, 'invalid_request'],
    [{ resource: 'https://evil.example' }, 'invalid_target'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ prompt: 'none' }, 'interaction_required'],
    [{ client_id: 'mcc_unknown' }, 'invalid_client'],
  ] as const) {
    const { searchParams } = new URL(fixture.asked(fixture.client))
    const reply = await fixture.post('/oauth/par', { ...Object.fromEntries(searchParams), ...more })
    assert.deepEqual([reply.json().error, JSON.stringify(more)], [error, JSON.stringify(more)])
  }
}

async function checkRegisteredPromises(fixture: SignIn): Promise<void> {
  const pushing = await startProvenClient(fixture, {
    metadata: { require_pushed_authorization_requests: true },
  })
  const { first } = await fixture.begin(fixture.asked(pushing.client.client_id))
  assert.deepEqual([first.status, /pushes its authorization requests/.test(first.text)], [400, true])
  const bound = await startProvenClient(fixture, { metadata: { dpop_bound_access_tokens: true } })
  assert.equal(await errorOf(signInAs('ada', bound, fixture)), 'invalid_dpop_proof')
}
