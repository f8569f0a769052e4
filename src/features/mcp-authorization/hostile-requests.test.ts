import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { exportJWK } from 'jose'
import { HOME, type SignIn, startSignIn } from '#fixtures/mcp-sign-in.ts'
import { sql } from '../../platform/db/sql.ts'
import { ASSERTION_TYPE } from './clients/client-assertion.ts'

test('MCP authorization: hostile requests', async (t) => {
  const fixture = await startSignIn(t)
  await t.test(
    'MCP authorization: a repeated parameter, or request_uri in a pushed request, is invalid_request',
    () => checkRepeatedParameters(fixture),
  )
  await t.test('MCP authorization: parameters with control characters are client errors', () =>
    checkControlCharacters(fixture),
  )
  await t.test('MCP authorization: a client cannot send two ids or two secrets', () =>
    checkOneAuthentication(fixture),
  )
  await t.test('MCP authorization: bodies and methods that cannot be read get OAuth errors', () =>
    checkUnreadableRequests(fixture),
  )
  await t.test('MCP authorization: claims and headers of any JSON type are client errors', () =>
    checkTypesOfClaims(fixture),
  )
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const REQUEST_URI = `urn:ietf:params:oauth:request_uri:mpr_${'a'.repeat(43)}`

const postForm = async ({ http }: SignIn, url: string, payload: string, headers: object = {}) => {
  const reply = await http.inject({ method: 'POST', url, headers: { ...FORM, ...headers }, payload })
  return { status: reply.statusCode, error: reply.json<{ error?: string }>().error, body: reply.json() }
}

async function checkRepeatedParameters(fixture: SignIn): Promise<void> {
  const { client, asked, codeFor, http, s } = fixture
  const pushed = new URL(asked(client)).searchParams.toString()
  for (const more of [
    'redirect_uri=https%3A%2F%2Fevil.example%2Fcb',
    `client_id=${client}`,
    'state=other',
    'scope=a&scope=b',
    'resource=https%3A%2F%2Fevil.example',
    `request_uri=${REQUEST_URI}`,
    `${Array.from({ length: 300 }, (_, n) => `x${n}=1`).join('&')}&request_uri=${REQUEST_URI}`,
  ]) {
    const { status, error } = await postForm(fixture, '/oauth/par', `${pushed}&${more}`)
    assert.deepEqual([status, error], [400, 'invalid_request'], more)
  }
  assert.equal((await postForm(fixture, '/oauth/par', `${pushed}&prompt=&request_uri=`)).status, 201)
  const code = `grant_type=authorization_code&client_id=${client}&code=${await codeFor('ada')}&code_verifier=x`
  const twice = await postForm(fixture, '/oauth/token', `${code}&code_verifier=${'v'.repeat(64)}`)
  assert.deepEqual([twice.status, twice.error], [400, 'invalid_request'])
  const revoked = await postForm(fixture, '/oauth/revoke', `client_id=${client}&token=a&token=b`)
  assert.deepEqual([revoked.status, revoked.error], [400, 'invalid_request'])
  const { body } = await postForm(fixture, '/oauth/par', pushed)
  const url = `/oauth/authorize?${new URLSearchParams({ client_id: client, request_uri: body.request_uri })}`
  const repeated = await http.inject({ url: `${url}&request_uri=${REQUEST_URI}` })
  assert.equal(repeated.statusCode, 400)
  assert.equal((await s.visit(HOME + url)).status, 302, 'the rejected request did not use it up')
}

async function checkControlCharacters(fixture: SignIn): Promise<void> {
  const { http, client, asked, address, db } = fixture
  const unknown = await http.inject({
    url: `/oauth/authorize?client_id=%00&request_uri=${encodeURIComponent(REQUEST_URI)}`,
  })
  assert.equal(unknown.statusCode, 410)
  for (const resource of [`\0${address()}`, address('?x=\0'), `${address()} `, `${address()}\n`]) {
    const parameters = new URL(asked(client, { resource })).searchParams.toString()
    const { status, error } = await postForm(fixture, '/oauth/par', parameters)
    assert.deepEqual([status, error], [400, 'invalid_target'], JSON.stringify(resource))
  }
  const rows = await db.rows(sql`select 1 from mcp_pushed_requests where parameters::text like '%\\u000%'`)
  assert.equal(rows.length, 0)
}

async function checkOneAuthentication(fixture: SignIn): Promise<void> {
  const metadata = { token_endpoint_auth_method: 'client_secret_basic' }
  const { client_id: id, client_secret: secret } = (await fixture.register(metadata)).json()
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const errorOf = async (more: Record<string, string>) => {
    const payload = new URLSearchParams({ grant_type: 'refresh_token', ...more }).toString()
    return (await postForm(fixture, '/oauth/token', payload, { authorization })).error
  }
  assert.equal(await errorOf({ client_id: id }), 'invalid_grant')
  assert.equal(await errorOf({ client_id: fixture.client }), 'invalid_request')
  assert.equal(await errorOf({ client_secret: secret }), 'invalid_request')
}

/** Values of every JSON type, and numbers that are no dates. */
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e300,
  '',
  '\0',
  'x'.repeat(5_000),
  [],
  ['https://client.example/x'],
  {},
  { length: 1 },
  { toString: 'x', valueOf: null },
]
const CLAIMS = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'nonce', 'htm', 'htu', 'ath']
const HEADERS = ['alg', 'kid', 'typ', 'jwk', 'crit', 'b64', 'jku', 'x5c']

/** Tokens that the key really signed, each with a claim or a header field of another type. */
function signedVariants(
  claims: Record<string, unknown>,
  header: Record<string, unknown>,
  key: Parameters<typeof sign>[2],
): [string, string][] {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = (payload: object, head: object) => {
    const input = `${encode(head)}.${encode(payload)}`
    const options = { key, dsaEncoding: 'ieee-p1363' } as Parameters<typeof sign>[2]
    return `${input}.${sign('sha256', Buffer.from(input), options).toString('base64url')}`
  }
  return VALUES.flatMap((value): [string, string][] => [
    ...CLAIMS.map((name): [string, string] => [
      `${name}=${JSON.stringify(value)}`,
      signed({ ...claims, [name]: value }, header),
    ]),
    ...HEADERS.map((name): [string, string] => [
      `header ${name}=${JSON.stringify(value)}`,
      signed(claims, { ...header, [name]: value }),
    ]),
    [`claims ${JSON.stringify(value)}`, signed(value as object, header)],
  ])
}

async function checkTypesOfClaims(fixture: SignIn): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = await exportJWK(publicKey)
  const metadata = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } }
  const id = (await fixture.register(metadata)).json().client_id as string
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: id, sub: id, aud: HOME, jti: 'x', exp: now + 60, iat: now, htm: 'POST', htu: HOME }
  for (const [what, assertion] of signedVariants(claims, { alg: 'ES256' }, privateKey as never)) {
    for (const clientId of [{}, { client_id: id }] as Record<string, string>[]) {
      const form = { grant_type: 'refresh_token', client_assertion_type: ASSERTION_TYPE, ...clientId }
      const payload = new URLSearchParams({ ...form, client_assertion: assertion }).toString()
      const { status, error } = await postForm(fixture, '/oauth/token', payload)
      assert.ok(status === 400 || status === 401, `${what}: ${status} ${error}`)
    }
  }
  for (const [what, dpop] of signedVariants(
    claims,
    { alg: 'ES256', typ: 'dpop+jwt', jwk },
    privateKey as never,
  )) {
    const { status, error } = await postForm(fixture, '/oauth/token', 'grant_type=refresh_token', { dpop })
    assert.deepEqual([what, status, /dpop/.test(String(error))], [what, 400, true])
  }
}

async function checkUnreadableRequests(fixture: SignIn): Promise<void> {
  const { http, client } = fixture
  const json = { 'content-type': 'application/json' }
  const cases: [string, string, Record<string, string>, string, number, string][] = [
    ['POST', '/oauth/token', json, '{"grant_type":"refresh_token"}', 400, 'invalid_request'],
    ['POST', '/oauth/token', { 'content-type': 'text/plain' }, 'grant_type=x', 400, 'invalid_request'],
    ['POST', '/oauth/revoke', json, '{', 400, 'invalid_request'],
    ['POST', '/oauth/par', FORM, `client_id=${client}&x=${'x'.repeat(70_000)}`, 413, 'invalid_request'],
    ['POST', '/oauth/register', json, '{', 400, 'invalid_client_metadata'],
    ['POST', '/oauth/register', FORM, 'redirect_uris=x', 400, 'invalid_client_metadata'],
    ['POST', '/oauth/register', json, `"${'x'.repeat(70_000)}"`, 413, 'invalid_client_metadata'],
    ['GET', '/oauth/token', {}, '', 405, 'invalid_request'],
    ['GET', '/oauth/par', {}, '', 405, 'invalid_request'],
    ['DELETE', '/oauth/revoke', {}, '', 405, 'invalid_request'],
    ['PUT', '/oauth/register', json, '{}', 405, 'invalid_request'],
  ]
  for (const [method, url, headers, payload, status, error] of cases) {
    const reply = await http.inject({
      ...{ method: method as 'POST', url, headers },
      ...(payload === '' ? {} : { payload }),
    })
    const body = reply.json<{ error: unknown; error_description: unknown }>()
    assert.deepEqual(
      [reply.statusCode, body.error, typeof body.error_description, reply.headers['cache-control']],
      [status, error, 'string', 'no-store'],
      `${method} ${url}`,
    )
    assert.equal(reply.headers['allow'], status === 405 ? 'POST' : undefined)
  }
  const malformed = await postForm(fixture, '/oauth/token', `grant_type=refresh_token&client_id=${client}`, {
    authorization: 'Basic !!!',
  })
  assert.deepEqual([malformed.status, malformed.error], [401, 'invalid_client'])
  for (const uri of ['https://a.example\\\\@evil.example/', 'https://*.example/cb', 'https://a.example/"x']) {
    const { statusCode } = await http.inject({
      method: 'POST',
      url: '/oauth/register',
      payload: { redirect_uris: [uri] },
    })
    assert.equal(statusCode, 400, uri)
  }
}
