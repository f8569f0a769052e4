import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadRequestError, NotFoundError } from '@composio/client'
import { stockSdk } from './stock-sdk.ts'

const OAUTH = {
  type: 'use_custom_auth',
  authScheme: 'OAUTH2',
  name: 'Our app',
  credentials: { client_id: 'id-1', client_secret: 'secret-1', scopes: 'repo,user' },
} as const

test('an auth config with own credentials is created and read back without its secrets', async (t) => {
  const { composio } = await stockSdk(t)
  const created = await composio.authConfigs.create('github', OAUTH)
  assert.deepEqual(
    { ...created, id: '' },
    { id: '', authScheme: 'OAUTH2', isComposioManaged: false, toolkit: 'github' },
  )
  const read = await composio.authConfigs.get(created.id)
  assert.deepEqual(
    [read.id, read.name, read.status, read.isComposioManaged, read.toolkit.slug, read.noOfConnections],
    [created.id, 'Our app', 'ENABLED', false, 'github', 0],
  )
  assert.equal(read.credentials?.['client_id'], 'id-1')
  assert.doesNotMatch(JSON.stringify(read), /secret-1/)
})

test('managed auth without credentials of the server is rejected with a reason, in every form', async (t) => {
  const { composio } = await stockSdk(t)
  for (const ask of [
    () => composio.authConfigs.create('github'),
    () => composio.authConfigs.create('github', { type: 'use_composio_managed_auth', name: 'theirs' }),
  ]) {
    await assert.rejects(ask(), (error) => {
      assert.ok(error instanceof BadRequestError)
      assert.equal(
        (error.error as { error: { slug: string } }).error.slug,
        'Auth_Config_DefaultAuthConfigNotFound',
      )
      return true
    })
  }
  assert.deepEqual((await composio.authConfigs.list()).items, [])
})

test('auth configs are listed by toolkit, by management and page by page', async (t) => {
  const { composio } = await stockSdk(t)
  const github = await composio.authConfigs.create('github', OAUTH)
  const parse = await composio.authConfigs.create('parse', {
    type: 'use_custom_auth',
    authScheme: 'API_KEY',
    credentials: {},
  })
  const ids = async (query: Parameters<typeof composio.authConfigs.list>[0]) =>
    (await composio.authConfigs.list(query)).items.map(({ id }) => id)
  assert.deepEqual(await ids({}), [parse.id, github.id])
  assert.deepEqual(await ids({ toolkit: 'github' }), [github.id])
  assert.deepEqual(
    [await ids({ isComposioManaged: true }), (await ids({ isComposioManaged: false })).length],
    [[], 2],
  )
  const first = await composio.authConfigs.list({ limit: 1 })
  assert.deepEqual([first.items.map(({ id }) => id), first.totalPages], [[parse.id], 2])
  assert.deepEqual(await ids({ limit: 1, cursor: first.nextCursor ?? '' }), [github.id])
})

test('an auth config is changed: credentials one by one, tools as a whole', async (t) => {
  const { composio } = await stockSdk(t)
  const { id } = await composio.authConfigs.create('github', OAUTH)
  await composio.authConfigs.update(id, {
    type: 'custom',
    credentials: { client_id: 'id-2' },
    toolAccessConfig: { toolsAvailableForExecution: ['GITHUB_GET_A_REPOSITORY'] },
  })
  const read = await composio.authConfigs.get(id)
  assert.equal(read.credentials?.['client_id'], 'id-2')
  assert.ok(read.credentials?.['client_secret'])
  assert.deepEqual(read.toolAccessConfig?.toolsAvailableForExecution, ['GITHUB_GET_A_REPOSITORY'])
})

test('an auth config is disabled and enabled again', async (t) => {
  const { composio } = await stockSdk(t)
  const { id } = await composio.authConfigs.create('github', OAUTH)
  await composio.authConfigs.disable(id)
  assert.equal((await composio.authConfigs.get(id)).status, 'DISABLED')
  assert.deepEqual((await composio.authConfigs.list()).items, [])
  assert.deepEqual(
    (await composio.authConfigs.list({ showDisabled: true })).items.map((one) => one.id),
    [id],
  )
  await composio.authConfigs.enable(id)
  assert.equal((await composio.authConfigs.get(id)).status, 'ENABLED')
})

test('a deleted auth config is gone', async (t) => {
  const { composio } = await stockSdk(t)
  const { id } = await composio.authConfigs.create('github', OAUTH)
  await composio.authConfigs.delete(id)
  await assert.rejects(composio.authConfigs.get(id), NotFoundError)
  await assert.rejects(composio.authConfigs.delete(id), NotFoundError)
  assert.deepEqual((await composio.authConfigs.list({ showDisabled: true })).items, [])
})
