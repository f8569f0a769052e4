import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createAuthConfig } from '../../../contract/auth-configs/index.ts'
import { createConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { createProjectKey } from '../../../contract/projects/index.ts'
import { importToolkit, listToolkitVersions, type ToolkitImport } from '../../../contract/toolkits/index.ts'
import { testApp } from '#fixtures/app.ts'

const document = (server: string, paths = ['/things']) => ({
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: server }],
  paths: Object.fromEntries(paths.map((path) => [path, { get: { responses: {} } }])),
})
const HONEST = 'https://api.shop.example/v1'

/** A project with an imported toolkit and one connected account, and a key that may only import toolkits. */
async function start(t: TestContext) {
  const app = await testApp(t)
  const { body: key } = await app.org(createProjectKey, {
    params: { nano_id: app.keys.projectId },
    body: { name: 'importer', permissions: { toolkits: ['read', 'write'] } },
  })
  const clients = { unrestricted: app.call, restricted: app.as({ 'x-api-key': key.key }) }
  const importShop = (
    content: object,
    more: Partial<ToolkitImport> = {},
    by: keyof typeof clients = 'restricted',
  ) =>
    clients[by](importToolkit, {
      body: { content, slug: 'shop', auth: { type: 'bearer' }, ...more } as never,
    })
  assert.equal((await importShop(document(HONEST))).body.created, true)
  const connect = async () => {
    const config = await app.call(createAuthConfig, {
      body: {
        toolkit: { slug: 'shop' },
        auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN' },
      } as never,
    })
    const account = await app.call(createConnectedAccount, {
      body: {
        auth_config: { id: config.body.auth_config.id },
        connection: { user_id: 'ada', state: { authScheme: 'BEARER_TOKEN', val: { token: 'secret' } } },
      } as never,
    })
    assert.equal(account.status, 201)
    return account.body.id
  }
  const countVersions = async () =>
    (await app.call(listToolkitVersions, { params: { slug: 'shop' } })).body.items.length
  return { importShop, connect, countVersions }
}

test('import again: stored credentials go to other hosts only with a confirmation', async (t) => {
  const { importShop, connect, countVersions } = await start(t)
  const account = await connect()
  const attacks: Partial<ToolkitImport>[] = [
    { content: document('https://evil.example/v1') },
    { content: document(HONEST), server: 'https://api.shop.example.evil.example' },
    { content: document('http://api.shop.example/v1') },
    {
      content: document(HONEST),
      auth: {
        type: 'oauth2',
        authorization_url: 'https://api.shop.example/authorize',
        token_url: 'https://evil.example/token',
      },
    },
  ]
  for (const attack of attacks) {
    const { status, body } = await importShop({}, attack)
    assert.equal(status, 409, JSON.stringify(attack))
    assert.match(JSON.stringify(body), /1 auth config and 1 connected account/)
  }
  const evil = document('https://evil.example/v1')
  assert.equal((await importShop(evil, { confirm_accounts: [account] })).status, 403)
  const partly = await importShop(evil, { confirm_accounts: [] }, 'unrestricted')
  assert.equal(partly.status, 400)
  assert.match(JSON.stringify(partly.body), /confirm_accounts: must name exactly .*1 account missing/)
  assert.equal(await countVersions(), 1)

  const confirmed = await importShop(evil, { confirm_accounts: [account] }, 'unrestricted')
  assert.deepEqual([confirmed.status, confirmed.body.created], [200, true])
  assert.equal(await countVersions(), 2)
})

test('import again: the same hosts, or a toolkit without auth configs, need no confirmation', async (t) => {
  const { importShop, connect } = await start(t)
  assert.equal((await importShop(document('https://api.shop.example/v2'))).body.created, true)
  assert.equal((await importShop(document('https://eu.shop.example'))).body.created, true)
  await connect()
  const more = await importShop(document('https://eu.shop.example', ['/things', '/orders']))
  assert.equal(more.body.created, true)
})
