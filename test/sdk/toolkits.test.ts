import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ComposioAuthConfigNotFoundError, ComposioToolkitNotFoundError } from '@composio/core'
import { SHIPPED } from './shipped.ts'
import { stockSdk } from './stock-sdk.ts'

test('every toolkit is listed with its schemes, categories and counts', async (t) => {
  const { composio } = await stockSdk(t)
  const toolkits = await composio.toolkits.get({ limit: 1_000 })
  assert.deepEqual(toolkits.map(({ slug }) => slug).sort(), SHIPPED)
  const parse = toolkits.find(({ slug }) => slug === 'parse')
  assert.deepEqual(
    [
      parse?.name,
      parse?.authSchemes,
      parse?.composioManagedAuthSchemes,
      parse?.noAuth,
      parse?.isLocalToolkit,
    ],
    ['Parse Server', ['API_KEY'], [], false, false],
  )
  assert.deepEqual(
    parse?.meta.categories?.map(({ slug }) => slug),
    ['developer-tools', 'databases'],
  )
  assert.ok((parse?.meta.toolsCount ?? 0) >= 8)
  const utilities = toolkits.find(({ slug }) => slug === 'utilities')
  assert.deepEqual([utilities?.noAuth, utilities?.isLocalToolkit], [true, true])
})

test('toolkits are filtered by category and by who manages them, sorted and cut', async (t) => {
  const { composio } = await stockSdk(t)
  const sorted = await composio.toolkits.get({ sortBy: 'alphabetically', limit: 1_000 })
  const names = sorted.map(({ name }) => name)
  assert.deepEqual(
    names,
    names.toSorted((a, b) => a.localeCompare(b)),
  )
  const first = await composio.toolkits.get({ sortBy: 'alphabetically', limit: 3 })
  assert.deepEqual(
    first.map(({ slug }) => slug),
    sorted.slice(0, 3).map(({ slug }) => slug),
  )
  const databases = (await composio.toolkits.get({ category: 'databases' })).map(({ slug }) => slug)
  assert.ok(databases.includes('parse') && !databases.includes('github'))
  const shipped = await composio.toolkits.get({ managedBy: 'composio', limit: 1_000 })
  assert.deepEqual(shipped.map(({ slug }) => slug).sort(), SHIPPED)
  assert.deepEqual(await composio.toolkits.get({ managedBy: 'project' }), [])
})

test('one toolkit is read with what each scheme asks for', async (t) => {
  const { composio } = await stockSdk(t)
  const github = await composio.toolkits.get('github')
  assert.deepEqual([github.name, github.slug, github.composioManagedAuthSchemes], ['GitHub', 'github', []])
  assert.ok(github.meta.availableVersions?.includes('00000000_00'))
  const oauth = github.authConfigDetails?.find(({ mode }) => mode === 'OAUTH2')
  assert.deepEqual(
    oauth?.fields.authConfigCreation.required.map(({ name }) => name),
    ['client_id', 'client_secret'],
  )
  assert.match(oauth?.authHintUrl ?? '', /^https:\/\//)
})

test('a toolkit that does not exist is a typed error with the response of the server as its cause', async (t) => {
  const { composio } = await stockSdk(t)
  await assert.rejects(composio.toolkits.get('nowhere'), (error) => {
    assert.ok(error instanceof ComposioToolkitNotFoundError)
    assert.equal((error.cause as { status: number }).status, 404)
    return true
  })
})

test('categories are listed', async (t) => {
  const { composio } = await stockSdk(t)
  const { items, totalPages } = await composio.toolkits.listCategories()
  assert.equal(totalPages, 1)
  assert.ok(items.some(({ id, name }) => id === 'developer-tools' && name === 'developer tools'))
})

test('the field helpers say what an auth config and what a connection needs', async (t) => {
  const { composio } = await stockSdk(t)
  const creation = await composio.toolkits.getAuthConfigCreationFields('github', 'OAUTH2')
  assert.deepEqual(
    creation.filter(({ required }) => required).map(({ name, isSecret }) => [name, isSecret]),
    [
      ['client_id', false],
      ['client_secret', true],
    ],
  )
  assert.ok(
    creation
      .find(({ name }) => name === 'oauth_redirect_uri')
      ?.default?.endsWith('/api/v3/toolkits/auth/callback'),
  )
  const initiation = await composio.toolkits.getConnectedAccountInitiationFields('parse', 'API_KEY', {
    requiredOnly: true,
  })
  assert.deepEqual(initiation.map(({ name, isSecret }) => [name, isSecret]).sort(), [
    ['application_id', false],
    ['generic_api_key', true],
    ['server_url', false],
  ])
  await assert.rejects(
    composio.toolkits.getConnectedAccountInitiationFields('parse', 'OAUTH2'),
    ComposioAuthConfigNotFoundError,
  )
})

test('authorize uses the auth config that is there, and says so when there is none and none can be made', async (t) => {
  const { composio } = await stockSdk(t)
  await assert.rejects(composio.toolkits.authorize('ada', 'github'), (error) => {
    assert.ok(error instanceof ComposioAuthConfigNotFoundError)
    assert.match(String((error.cause as Error).message), /no managed credentials for GitHub/)
    return true
  })
  await composio.authConfigs.create('github', {
    type: 'use_custom_auth',
    authScheme: 'OAUTH2',
    credentials: { client_id: 'id', client_secret: 'secret' },
  })
  const request = await composio.toolkits.authorize('ada', 'github')
  assert.match(request.redirectUrl ?? '', /\/api\/v3\/s\/\w+$/)
  assert.equal((await composio.connectedAccounts.get(request.id)).toolkit.slug, 'github')
})
