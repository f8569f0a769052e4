import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSignIn } from '#fixtures/mcp-sign-in.ts'
import * as contract from '../../../contract/mcp-authorization/index.ts'
import { listAuditLog } from '../../../contract/audit-log.ts'
import { sql } from '../../../platform/db/sql.ts'

test('MCP tokens: an administrator looks up a token and revokes its grant, in the own project only', async (t) => {
  const { call, s, client, codeFor, exchange, tokens, listing, id, db } = await startSignIn(t)
  const lookUp = async (token: string, by = call) =>
    (await by(contract.introspectMcpToken, { body: { token } })).body
  const issued = (await exchange(await codeFor('ada'))).body
  const [access, refresh] = [issued['access_token']!, issued['refresh_token']!]
  const found = await lookUp(access)
  assert.deepEqual(
    [found.active, found.token_type, found.key_thumbprint, found.grant?.user_id, found.grant?.mcp_server_id],
    [true, 'access_token', undefined, 'ada', id],
  )
  assert.deepEqual(found.grant?.client, { id: client, name: 'Test <b>', authentication: 'none' })
  const days = (Date.parse(found.grant!.expires_at) - Date.parse(found.grant!.created_at)) / 86_400_000
  assert.equal(Math.round(days), 180, 'the absolute lifetime of the grant and its refresh tokens')
  assert.equal((await lookUp(refresh)).token_type, 'refresh_token')
  const other = await s.otherProject()
  for (const reply of [await lookUp(access, other), await lookUp('mat_unknown'), await lookUp("' or 1=1")])
    assert.deepEqual(reply, { active: false })
  const next = await tokens({ grant_type: 'refresh_token', client_id: client, refresh_token: refresh })
  assert.equal((await lookUp(refresh)).active, false, 'it was replaced')
  await db.run(sql`update mcp_tokens set expires_at = now() - interval '1 second' where kind = 'access'`)
  assert.equal((await lookUp(next.body['access_token']!)).active, false, 'it has expired')

  const revoke = (token: string, by = call) => by(contract.revokeMcpToken, { body: { token } })
  assert.deepEqual([(await revoke(access, other)).status, (await revoke('mat_unknown')).status], [404, 404])
  const { body } = await revoke(access)
  assert.deepEqual(body, { id: found.grant!.id, deleted: true })
  assert.equal((await lookUp(next.body['refresh_token']!)).active, false)
  assert.equal((await listing(next.body['access_token']!)).statusCode, 401)
  const audited = (await call(listAuditLog, { query: { action: 'mcp.revokeToken' } })).body.items
  assert.ok(
    audited.length > 0 && !JSON.stringify(audited).includes('mat_'),
    'the token is not in the audit log',
  )
})

test('MCP grants: all of a user, a client or a server are revoked at once, and never without a filter', async (t) => {
  const { call, s, client, codeFor, exchange, register, listing, id } = await startSignIn(t)
  const tokenOf = async (user: string) => (await exchange(await codeFor(user))).body['access_token']!
  const [ada, again, bob] = [await tokenOf('ada'), await tokenOf('ada'), await tokenOf('bob')]
  const remove = (query: object, by = call) => by(contract.deleteMcpClientGrants, { query })
  const status = async (token: string) => (await listing(token)).statusCode
  assert.equal((await remove({})).status, 400)
  const stranger = (await register()).json().client_id
  for (const [query, by] of [
    [{ client_id: stranger }, call],
    [{ user_id: 'ada', client_id: stranger }, call],
    [{ user_id: 'ada' }, await s.otherProject()],
  ] as const)
    assert.deepEqual((await remove(query, by)).body, { deleted: 0 })
  assert.deepEqual((await remove({ user_id: 'ada', mcp_server_id: id })).body, { deleted: 2 })
  assert.deepEqual([await status(ada), await status(again), await status(bob)], [401, 401, 200])
  const listed = await call(contract.listMcpClientGrants, { query: { client_id: client } })
  assert.deepEqual([listed.body.total_items, listed.body.items[0]!.user_id], [1, 'bob'])
  assert.deepEqual((await remove({ client_id: client })).body, { deleted: 1 })
  assert.equal(await status(bob), 401)
})
