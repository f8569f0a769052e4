// A remote MCP server becomes a toolkit, its users sign in at its own authorization server, and its tools do
// what they say: the official SDK on the other side.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importMcp } from '../../src/catalog/importers/index.ts'
import { revokeConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import { prepare } from '../fixtures/custom-toolkits.ts'
import { createEgress, parseAllowRules } from '../../src/platform/egress/index.ts'
import { visit } from './issuer.ts'
import { DEVELOPER_TOKEN, protectedMcp } from './mcp-server.ts'
import { startPlatform } from './platform.ts'

test('users of an imported MCP server sign in at its authorization server and call its tools as themselves', async (t) => {
  const server = await protectedMcp(t, ['ada', 'bea'])
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  t.after(() => egress.close())
  await assert.rejects(importMcp(server.url, {}, egress), { name: 'ImportRejected', why: 'needs_sign_in' })
  const imported = await importMcp(
    server.url,
    { headers: { authorization: `Bearer ${DEVELOPER_TOKEN}` } },
    egress,
  )
  checkImported(imported)
  const { toolkit } = imported

  const platform = await startPlatform(t)
  const { version } = await platform.app.customToolkits.put(
    platform.keys.projectId,
    await prepare(platform.app, platform.keys.projectId, imported),
    { kind: 'mcp', address: server.url },
    platform.clock.now(),
  )
  assert.match(version, /^\d{8}_00$/)
  const config = await platform.authConfig(toolkit.slug, 'DCR_OAUTH')
  const ada = await connect(platform, config, server.url, 'ada')
  await connect(platform, config, server.url, 'bea')
  assert.deepEqual(await platform.data('NOTES_MCP_ADD_NOTE', { text: 'Buy milk.' }, 'ada'), {
    owner: 'ada',
    count: 1,
  })
  assert.deepEqual(await platform.data('NOTES_MCP_ADD_NOTE', { text: 'Call Ada.' }, 'bea'), {
    owner: 'bea',
    count: 1,
  })
  assert.deepEqual(await platform.data('NOTES_MCP_LIST_NOTES', {}, 'ada'), { items: ['Buy milk.'] })
  assert.deepEqual(
    [...server.access.values()].map(({ user, resource }) => [user, resource]),
    [
      ['ada', server.url],
      ['bea', server.url],
    ],
  )

  const wrong = await platform.run('NOTES_MCP_ADD_NOTE', { text: '', tag: 'x' }, 'ada')
  assert.match(wrong.error!, /^Invalid arguments: .*tag: is not a known field/)
  for (const token of [...server.access.keys()]) server.access.delete(token)
  assert.deepEqual(await platform.data('NOTES_MCP_LIST_NOTES', {}, 'ada'), { items: ['Buy milk.'] })
  assert.equal(server.refreshed, 1)
  const revoked = await platform.call(revokeConnectedAccount, { params: { nanoid: ada } as never })
  assert.ok(revoked.status < 300 && server.revoked > 0, JSON.stringify(revoked.body))
})

function checkImported({ toolkit, tools }: Awaited<ReturnType<typeof importMcp>>): void {
  assert.deepEqual(
    [toolkit.slug, toolkit.auth.map(({ scheme }) => scheme), tools.map(({ slug, effect }) => [slug, effect])],
    [
      'notes_mcp',
      ['DCR_OAUTH', 'BEARER_TOKEN'],
      [
        ['NOTES_MCP_ADD_NOTE', 'create'],
        ['NOTES_MCP_LIST_NOTES', 'read'],
      ],
    ],
  )
}

/** Connects an account of the user at the authorization server of the MCP server. */
async function connect(
  platform: Awaited<ReturnType<typeof startPlatform>>,
  config: string,
  serverUrl: string,
  user: string,
): Promise<string> {
  const { body } = await platform.tryConnect(config, 'DCR_OAUTH', user, {})
  const asked = new URL((await visit(String(body['redirect_url']))).location)
  assert.deepEqual(
    ['resource', 'code_challenge_method', 'scope'].map((name) => asked.searchParams.get(name)),
    [serverUrl, 'S256', 'notes'],
  )
  await visit((await visit(asked.href)).location)
  const { status, status_reason } = await platform.account(String(body['id']))
  assert.equal(status, 'ACTIVE', String(status_reason))
  return String(body['id'])
}
