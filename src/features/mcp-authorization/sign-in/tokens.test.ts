import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CookieJar } from '#fixtures/real-applications/cookie-jar.ts'
import * as mcp from '../../../contract/mcp-servers/index.ts'
import * as signIn from '../../../contract/mcp-authorization/index.ts'
import { updateProjectConfig } from '../../../contract/projects/index.ts'
import { createSession, deleteSession } from '../../../contract/sessions/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { startSignIn, type SignIn, BACK, HOME } from '#fixtures/mcp-sign-in.ts'

test('MCP authorization: codes and tokens', async (t) => {
  const fixture = await startSignIn(t)
  await t.test(
    'MCP authorization: a code is exchanged once, by its client, with its verifier, and a second use revokes its ' +
      'tokens',
    () => checkCodes(fixture),
  )

  await t.test(
    'MCP authorization: refresh tokens rotate, and reuse after more than a minute revokes the grant',
    () => checkRefreshTokens(fixture),
  )

  await t.test('MCP authorization: an access token is valid only for its server and its user', () =>
    checkAccessTokens(fixture),
  )

  await t.test('MCP authorization: the token of a session is valid only for this session, as its user', () =>
    checkSessionTokens(fixture),
  )
})

async function checkCodes({ codeFor, register, address, exchange, listing, db }: SignIn): Promise<void> {
  const code = await codeFor('ada')
  const others = (await register()).json().client_id
  for (const [more, error] of [
    [{ code_verifier: 'w'.repeat(64) }, 'invalid_grant'],
    [{ code_verifier: '' }, 'invalid_grant'],
    [{ client_id: others }, 'invalid_grant'],
    [{ redirect_uri: `${BACK}/` }, 'invalid_grant'],
    [{ resource: address('?user_id=bob') }, 'invalid_target'],
    [{ resource: 'https://evil.example' }, 'invalid_target'],
    [{ client_id: 'nobody' }, 'invalid_client'],
    [{ code: 'x' }, 'invalid_grant'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'constructor' }, 'unsupported_grant_type'],
    [{ grant_type: '' }, 'invalid_request'],
  ] as const) {
    const reply = await exchange(code, more)
    assert.deepEqual(
      [reply.status, reply.body['error']],
      [error === 'invalid_client' ? 401 : 400, error],
      JSON.stringify(more),
    )
  }
  const { status, body } = await exchange(code, { resource: address('?user_id=ada') })
  assert.deepEqual(
    [status, body['token_type'], body['expires_in'], body['scope']],
    [200, 'Bearer', 3600, 'mcp'],
  )
  assert.equal((await listing(body['access_token'] as string)).statusCode, 200)
  assert.equal((await exchange(code)).body['error'], 'invalid_grant')
  assert.equal((await listing(body['access_token'] as string)).statusCode, 401)
  const late = await codeFor('ada')
  await db.run(sql`update mcp_authorizations set code_expires_at = now() - interval '1 second'`)
  assert.equal((await exchange(late)).body['error'], 'invalid_grant')
  const raced = await codeFor('ada')
  assert.deepEqual(
    (await Promise.all([exchange(raced), exchange(raced), exchange(raced)])).map((one) => one.status).sort(),
    [200, 400, 400],
  )
}

async function checkRefreshTokens({
  exchange,
  codeFor,
  tokens,
  client,
  register,
  address,
  newServer,
  listing,
  db,
}: SignIn): Promise<void> {
  const first = (await exchange(await codeFor('ada'))).body
  const refresh = (token = first['refresh_token'], more: object = {}) =>
    tokens({ grant_type: 'refresh_token', client_id: client, refresh_token: token, ...more })
  assert.deepEqual(
    [
      (await refresh('mrt_x')).body['error'],
      (await refresh(undefined, { client_id: (await register()).json().client_id })).body['error'],
      (await refresh(first['access_token'])).body['error'],
      (await refresh(undefined, { resource: address('', await newServer()) })).body['error'],
    ],
    ['invalid_grant', 'invalid_grant', 'invalid_grant', 'invalid_target'],
  )
  const [second, again] = await Promise.all([refresh(), refresh()])
  assert.deepEqual([second.status, again.status], [200, 200])
  const { expires_in: _, ...issued } = again.body
  assert.deepEqual({ ...second.body, ...issued }, second.body, 'one set of tokens')
  for (const { body } of [second, again])
    assert.equal((await listing(body['access_token'] as string)).statusCode, 200)
  await db.run(sql`update mcp_tokens set used_at = used_at - interval '2 minutes' where used_at is not null`)
  assert.equal((await refresh()).body['error'], 'invalid_grant')
  assert.equal((await listing(second.body['access_token'] as string)).statusCode, 401)
  assert.equal((await refresh(second.body['refresh_token'])).body['error'], 'invalid_grant')
}

async function checkAccessTokens({
  exchange,
  codeFor,
  listing,
  address,
  accounts,
  newServer,
  http,
  call,
  id,
  client,
  post,
  register,
  tokens,
  db,
}: SignIn): Promise<void> {
  const { body } = await exchange(await codeFor('ada'))
  const token = body['access_token'] as string
  const at = async (url: string) => {
    const reply = await listing(token, url)
    return [reply.statusCode, reply.json().error?.slug]
  }
  assert.deepEqual(await at(address()), [200, undefined])
  for (const query of ['?user_id=ada', `?connected_account_id=${accounts.ada}`])
    assert.deepEqual(await at(address(query)), [200, undefined], query)
  for (const query of [
    '?user_id=bob',
    '?user_id=ada,bob',
    `?connected_account_id=${accounts.bob}`,
    `?user_id=ada&connected_account_ids=${accounts.ada},${accounts.bob}`,
    '?connected_account_id=ca_nothing',
  ])
    assert.deepEqual(await at(address(query)), [403, 'Mcp_OtherUser'], query)
  assert.deepEqual(await at(address('', await newServer())), [401, 'Mcp_TokenInvalid'])
  assert.equal(
    (await http.inject({ url: '/api/v3/tools', headers: { authorization: `Bearer ${token}` } })).statusCode,
    401,
  )
  assert.equal((await http.inject({ url: '/api/v3/tools', headers: { 'x-api-key': token } })).statusCode, 401)
  await call(updateProjectConfig, { body: { require_mcp_api_key: false } })
  assert.deepEqual(
    [
      (await listing('mat_wrong', address('?user_id=ada'))).statusCode,
      (await listing('of-another', address('?user_id=ada'))).statusCode,
      (await at(address('?user_id=bob')))[0],
    ],
    [401, 200, 403],
  )
  await checkDeletedInstance({ call, id, exchange, codeFor, listing }, token)
  await checkRevocation({ client, post, register, listing, tokens, db }, token, body)
}

async function checkDeletedInstance(
  { call, id, exchange, codeFor, listing }: Pick<SignIn, 'call' | 'id' | 'exchange' | 'codeFor' | 'listing'>,
  token: string,
): Promise<void> {
  await call(updateProjectConfig, { body: { require_mcp_api_key: true } })
  await call(mcp.createMcpInstance, { params: { server_id: id }, body: { user_id: 'bob' } })
  const bobs = (await exchange(await codeFor('bob'))).body['access_token'] as string
  assert.equal((await listing(bobs)).statusCode, 200)
  await call(mcp.deleteMcpInstance, { params: { server_id: id, instance_id: 'bob' } })
  assert.deepEqual([(await listing(bobs)).statusCode, (await listing(token)).statusCode], [401, 200])
}

async function checkRevocation(
  {
    client,
    post,
    register,
    listing,
    tokens,
    db,
  }: Pick<SignIn, 'client' | 'post' | 'register' | 'listing' | 'tokens' | 'db'>,
  token: string,
  body: Record<string, unknown>,
): Promise<void> {
  const revoke = (value: string, by = client) =>
    post('/oauth/revoke', { token: value, client_id: by }).then((reply) => reply.statusCode)
  assert.deepEqual(
    [
      await revoke(token, (await register()).json().client_id),
      (await listing(token)).statusCode,
      await revoke('nothing'),
      await revoke(token),
      (await listing(token)).statusCode,
    ],
    [200, 200, 200, 200, 401],
  )
  const refreshed = (
    await tokens({ grant_type: 'refresh_token', client_id: client, refresh_token: body['refresh_token'] })
  ).body
  assert.deepEqual(
    [
      await revoke(refreshed['refresh_token'] as string),
      (await listing(refreshed['access_token'] as string)).statusCode,
      await revoke(token, 'nobody'),
    ],
    [200, 401, 401],
  )
  const rows = await db.rows<object>(sql`select * from mcp_tokens`)
  assert.ok(!JSON.stringify(rows).includes('mat_') && !JSON.stringify(rows).includes('mrt_'))
}

async function checkSessionTokens({
  call,
  link,
  s,
  buttonsOf,
  decide,
  begin,
  asked,
  client,
  exchange,
  listing,
  address,
  tokens,
}: SignIn): Promise<void> {
  const open = async (user_id: string) =>
    (await call(createSession, { body: { user_id } as never })).body.session_id
  const [session, other] = [await open('ada'), await open('ada')]
  assert.equal(
    (await call(signIn.createMcpSignInLink, { body: { user_id: 'bob', session_id: session } })).status,
    403,
  )
  const cookies = new CookieJar()
  const { url } = await link({ user_id: 'ada', session_id: session })
  await s.visit(url, { cookies, form: buttonsOf((await s.visit(url, { cookies })).text) })
  const resource = `${HOME}/tool_router/${session}/mcp`
  const back = await decide(await begin(asked(client, { resource }), cookies))
  const { body } = await exchange(new URL(back.location).searchParams.get('code') as string, { resource })
  const token = body['access_token'] as string
  assert.deepEqual(
    [
      (await listing(token, resource)).statusCode,
      (await listing(token, `${HOME}/tool_router/${other}/mcp`)).statusCode,
      (await listing(token, address())).statusCode,
    ],
    [200, 401, 401],
  )
  await call(deleteSession, { params: { session_id: session } })
  assert.ok([401, 404].includes((await listing(token, resource)).statusCode))
  assert.equal(
    (
      await tokens({
        grant_type: 'refresh_token',
        client_id: client,
        refresh_token: body['refresh_token'],
      })
    ).body['error'],
    'invalid_grant',
  )
}

test('MCP authorization: more exchanges at once than the database pool has connections all succeed', async (t) => {
  const { codeFor, exchange } = await startSignIn(t)
  const codes: string[] = []
  for (let n = 0; n < 12; n++) codes.push(await codeFor(`user-${n}`))
  const first = await Promise.all(codes.map((code) => exchange(code)))
  assert.deepEqual(
    first.map(({ status }) => status),
    codes.map(() => 200),
  )
})
