import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ComposioConnectedAccountNotFoundError, ComposioMultipleConnectedAccountsError } from '@composio/core'
import { BadRequestError, NotFoundError } from '@composio/client'
import { connectParse, stockSdk } from './stock-sdk.ts'

const NOWHERE = 'http://127.0.0.1:9/parse'

test('an account with a key is active at once, and waiting for it ends at once', async (t) => {
  const sdk = await stockSdk(t)
  const { request, authConfigId } = await connectParse(sdk, NOWHERE, 'ada')
  assert.deepEqual([request.status, request.redirectUrl], ['ACTIVE', null])
  const account = await request.waitForConnection()
  assert.deepEqual(
    [account.id, account.status, account.statusReason, account.isDisabled, account.toolkit.slug],
    [request.id, 'ACTIVE', null, false, 'parse'],
  )
  assert.deepEqual(account.authConfig, {
    id: authConfigId,
    authScheme: 'API_KEY',
    isComposioManaged: false,
    isDisabled: false,
  })
  assert.equal((await sdk.composio.connectedAccounts.waitForConnection(request.id)).id, request.id)
})

test('reads show the state in the shape of the SDK, and no secret', async (t) => {
  const sdk = await stockSdk(t)
  const { request } = await connectParse(sdk, NOWHERE, 'ada')
  const account = await sdk.composio.connectedAccounts.get(request.id)
  assert.equal(account.state?.authScheme, 'API_KEY')
  const val = account.state?.val as Record<string, unknown>
  assert.deepEqual([val['status'], val['server_url'], val['application_id']], ['ACTIVE', NOWHERE, 'my-app'])
  assert.ok(val['generic_api_key'])
  assert.doesNotMatch(JSON.stringify(account), /rest-key-1234/)
  assert.match(account.wordId ?? '', /^parse_\w+-\w+$/)
})

test('a second account of a user needs the flag for it', async (t) => {
  const sdk = await stockSdk(t)
  const { authConfigId, config, request } = await connectParse(sdk, NOWHERE, 'ada')
  await assert.rejects(
    sdk.composio.connectedAccounts.initiate('ada', authConfigId, { config }),
    ComposioMultipleConnectedAccountsError,
  )
  const second = await sdk.composio.connectedAccounts.initiate('ada', authConfigId, {
    config,
    allowMultiple: true,
    alias: 'work',
  })
  assert.notEqual(second.id, request.id)
  assert.equal((await sdk.composio.connectedAccounts.get(second.id)).alias, 'work')
})

test('accounts are listed by user, toolkit, auth config and status, page by page', async (t) => {
  const sdk = await stockSdk(t)
  const { composio } = sdk
  const { authConfigId, config, request: ada } = await connectParse(sdk, NOWHERE, 'ada')
  const bob = await composio.connectedAccounts.initiate('bob', authConfigId, { config })
  const ids = async (query: Parameters<typeof composio.connectedAccounts.list>[0]) =>
    (await composio.connectedAccounts.list(query)).items.map(({ id }) => id).sort()
  assert.deepEqual(await ids({}), [ada.id, bob.id].sort())
  assert.deepEqual(await ids({ userIds: ['ada', 'carl'] }), [ada.id])
  assert.deepEqual(
    [await ids({ toolkitSlugs: ['github'] }), (await ids({ toolkitSlugs: ['github', 'parse'] })).length],
    [[], 2],
  )
  assert.deepEqual(
    [
      await ids({ authConfigIds: [authConfigId], statuses: ['ACTIVE'], userIds: ['bob'] }),
      await ids({ statuses: ['EXPIRED', 'FAILED'] }),
    ],
    [[bob.id], []],
  )
  const first = await composio.connectedAccounts.list({ limit: 1, orderBy: 'created_at' })
  const second = await composio.connectedAccounts.list({
    limit: 1,
    orderBy: 'created_at',
    cursor: first.nextCursor ?? '',
  })
  assert.deepEqual(
    [first, second].flatMap(({ items }) => items.map(({ id }) => id)),
    [bob.id, ada.id],
  )
  assert.equal(second.nextCursor, null)
})

test('an account is switched off and on again', async (t) => {
  const sdk = await stockSdk(t)
  const { composio } = sdk
  const {
    request: { id },
  } = await connectParse(sdk, NOWHERE, 'ada')
  const status = async () => (await composio.connectedAccounts.get(id)).status
  assert.deepEqual(await composio.connectedAccounts.disable(id), { success: true })
  assert.equal(await status(), 'INACTIVE')
  await composio.connectedAccounts.enable(id)
  assert.equal(await status(), 'ACTIVE')
  await composio.connectedAccounts.update(id, { enabled: false })
  assert.equal(await status(), 'INACTIVE')
  await composio.connectedAccounts.updateStatus(id, { enabled: true, reason: 'back' } as never)
  assert.equal(await status(), 'ACTIVE')
  assert.equal((await composio.connectedAccounts.get(id)).statusReason, 'back')
})

test('alias and key are replaced through the client of the SDK', async (t) => {
  const sdk = await stockSdk(t)
  const {
    request: { id },
  } = await connectParse(sdk, NOWHERE, 'ada')
  const accounts = sdk.composio.getClient().connectedAccounts
  const reply = await accounts.patch(id, {
    alias: 'home',
    connection: {
      state: { authScheme: 'API_KEY', val: { generic_api_key: 'another-key', server_url: `${NOWHERE}/2` } },
    },
  } as never)
  assert.deepEqual(reply, { success: true, id, status: 'ACTIVE' })
  const account = await sdk.composio.connectedAccounts.get(id)
  assert.deepEqual(
    [
      account.alias,
      (account.state?.val as Record<string, unknown>)['server_url'],
      (account.state?.val as Record<string, unknown>)['application_id'],
    ],
    ['home', `${NOWHERE}/2`, 'my-app'],
  )
})

test('access rules are rejected on a private account with the words that the SDK looks for', async (t) => {
  const sdk = await stockSdk(t)
  const {
    request: { id },
  } = await connectParse(sdk, NOWHERE, 'ada')
  await assert.rejects(sdk.composio.connectedAccounts.updateAcl(id, { allowAllUsers: true }), {
    name: 'ComposioAclOnlyForSharedError',
  })
})

test('a deleted account is gone, and waiting for it says so', async (t) => {
  const sdk = await stockSdk(t)
  const { composio } = sdk
  const {
    request: { id },
  } = await connectParse(sdk, NOWHERE, 'ada')
  assert.deepEqual(await composio.connectedAccounts.delete(id), { success: true })
  await assert.rejects(composio.connectedAccounts.get(id), NotFoundError)
  await assert.rejects(
    composio.connectedAccounts.waitForConnection(id),
    ComposioConnectedAccountNotFoundError,
  )
  assert.deepEqual((await composio.connectedAccounts.list({ userIds: ['ada'] })).items, [])
})

test('a connection without a field, or for another scheme, is rejected with the name of it', async (t) => {
  const sdk = await stockSdk(t)
  const { authConfigId } = await connectParse(sdk, NOWHERE, 'ada')
  for (const [config, expectedMessage] of [
    [
      { authScheme: 'API_KEY', val: { status: 'ACTIVE', generic_api_key: 'k', application_id: 'a' } },
      /server_url/,
    ],
    [{ authScheme: 'BEARER_TOKEN', val: { status: 'ACTIVE', token: 'k' } }, /API_KEY/],
  ] as const) {
    await assert.rejects(
      sdk.composio.connectedAccounts.initiate('bob', authConfigId, { config }),
      (error) => {
        assert.ok(error instanceof BadRequestError)
        assert.match(error.message, expectedMessage)
        return true
      },
    )
  }
  assert.deepEqual((await sdk.composio.connectedAccounts.list({ userIds: ['bob'] })).items, [])
})
