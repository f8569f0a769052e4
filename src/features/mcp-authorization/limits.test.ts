import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { createMcpServer } from '../../contract/mcp-servers/index.ts'
import { newId } from '../../platform/ids.ts'
import { sql } from '../../platform/db/sql.ts'
import { createClientDocuments } from './clients/metadata-document.ts'
import { OAuthRequestError } from './oauth-error.ts'
import { hashSecret } from './secrets.ts'
import { insertGrant, issueTokens } from './tokens/store.ts'

const REDIRECT_URI = 'http://127.0.0.1:7777/cb'
const ATTACKER = '203.0.113.9'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** An MCP server of the project, and a registered client of it. */
async function startServer(t: TestContext) {
  const s = await testApp(t)
  const { http, db } = s.app
  const { id } = (
    await s.call(createMcpServer, {
      body: { name: 'Clock', auth_config_ids: [], no_auth_apps: ['utilities'] },
    })
  ).body
  const registered = await http.inject({
    method: 'POST',
    url: '/oauth/register',
    payload: { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'none' },
  })
  const clientId = registered.json<{ client_id: string }>().client_id
  const visit = (remoteAddress: string) =>
    http.inject({
      url: `/oauth/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: REDIRECT_URI,
        code_challenge: createHash('sha256').update('v'.repeat(64)).digest('base64url'),
        code_challenge_method: 'S256',
        resource: `http://localhost:3900/v3/mcp/${id}`,
      })}`,
      remoteAddress,
    })
  const refresh = async (token: string) => {
    const payload = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: token,
    })
    const reply = await http.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: FORM,
      payload: payload.toString(),
    })
    return { status: reply.statusCode, body: reply.json<Record<string, string | number>>() }
  }
  /** A grant of the client, with its first tokens. */
  const grantTokens = async () => {
    const project = await db.one<{ project_id: string }>(
      sql`select project_id from mcp_servers where id = ${id}`,
    )
    const grant = {
      id: newId('mcg'),
      project_id: project!.project_id,
      resource_kind: 'mcp_server' as const,
      resource_id: id,
      user_id: 'ada',
      client_id: clientId,
      client_name: null,
      client_auth: null,
    }
    await insertGrant(db, grant)
    return { grant, tokens: await issueTokens(db, grant) }
  }
  return { ...s, db, visit, refresh, grantTokens }
}

test('MCP authorization: a thousand visits of one network do not close a server for other visitors', async (t) => {
  const { visit, db } = await startServer(t)
  const statuses: number[] = []
  for (let n = 0; n < 60; n++) statuses.push((await visit(ATTACKER)).statusCode)
  assert.deepEqual(
    [statuses.slice(0, 50).every((status) => status === 302), new Set(statuses.slice(50))],
    [true, new Set([429])],
  )
  // More rows than the former limit of 1,000 for each server, from many networks.
  await db.run(sql`
    insert into mcp_authorizations
      (id, project_id, resource_kind, resource_id, client_id, redirect_uri, code_challenge, browser_hash,
        source_hash, expires_at)
    select 'mrq_attack' || n, project_id, resource_kind, resource_id, client_id, redirect_uri, code_challenge,
      browser_hash, sha256(n::text::bytea), expires_at
    from generate_series(1, 1200) n cross join (select * from mcp_authorizations limit 1) a`)
  assert.equal((await visit('198.51.100.7')).statusCode, 302)
  assert.match((await visit(ATTACKER)).body, /not finished/)
  // A decided request and an expired one leave room for another.
  await db.run(sql`
    update mcp_authorizations set decided_at = now()
    where id = (
      select id from mcp_authorizations where source_hash = ${hashSecret(ATTACKER)} limit 1)`)
  assert.deepEqual([(await visit(ATTACKER)).statusCode, (await visit(ATTACKER)).statusCode], [302, 429])
  await db.run(sql`update mcp_authorizations set expires_at = now() - interval '1 second'`)
  assert.equal((await visit(ATTACKER)).statusCode, 302)
})

test('MCP authorization: a refresh token used four times within a minute yields one set of tokens', async (t) => {
  const { refresh, grantTokens, db } = await startServer(t)
  const { tokens } = await grantTokens()
  const replies = []
  for (let n = 0; n < 4; n++) replies.push(await refresh(tokens.refresh))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  for (const name of ['access_token', 'refresh_token'])
    assert.equal(new Set(replies.map(({ body }) => body[name])).size, 1, name)
  const count = await db.one<{ count: number }>(sql`select count(*)::int as count from mcp_tokens`)
  assert.equal(count?.count, 4, 'the first tokens and their successors')
  // Tokens of a response that is lost for an hour have expired, and the repeated request does not extend them.
  await db.run(sql`update mcp_tokens set expires_at = now() - interval '1 second' where kind = 'access'`)
  assert.equal((await refresh(tokens.refresh)).body['error'], 'invalid_grant')
})

test('MCP authorization: after 180 days the user signs in again, however often the client refreshed', async (t) => {
  const { refresh, grantTokens, db } = await startServer(t)
  const { grant, tokens } = await grantTokens()
  const setAge = (age: string) =>
    db.run(sql`update mcp_grants set created_at = now() - ${age}::interval where id = ${grant.id}`)
  await setAge('179 days 23 hours 50 minutes')
  const last = await refresh(tokens.refresh)
  assert.equal(last.status, 200)
  assert.ok(Number(last.body['expires_in']) <= 600, 'the access token ends with the grant')
  await setAge('181 days')
  assert.deepEqual(
    [
      (await refresh(last.body['refresh_token'] as string)).body['error'],
      (await refresh(tokens.refresh)).body['error'],
    ],
    ['invalid_grant', 'invalid_grant'],
  )
})

test('MCP authorization: visitors of one network cause ten fetches of client documents a minute', async () => {
  let sent = 0
  const documents = createClientDocuments({
    send: async () => {
      sent++
      return { status: 404, headers: {}, body: Buffer.from(''), url: '' }
    },
  } as never)
  const read = (n: number, network: string) => documents.read(`https://client.example/${n}`, network)
  const errors: unknown[] = []
  for (let n = 0; n < 12; n++) errors.push(await read(n, ATTACKER).catch((error: unknown) => error))
  assert.deepEqual(
    errors.map((error) => (error as OAuthRequestError).error),
    [...Array<string>(10).fill('invalid_client'), 'slow_down', 'slow_down'],
  )
  assert.equal(sent, 10)
  await assert.rejects(read(20, '198.51.100.7'), /cannot be fetched/)
  assert.equal(sent, 11)
  assert.ok(
    errors.every((error) => !/404/.test((error as Error).message)),
    'the status of a URL is not disclosed',
  )
})
