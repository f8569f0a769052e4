import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import {
  createAuthConfig,
  deleteAuthConfig,
  listAuthConfigs,
  readAuthConfig,
  setAuthConfigStatus,
  updateAuthConfig,
} from '../../contract/auth-configs/index.ts'
import {
  createConnectedAccount,
  listConnectedAccounts,
  readConnectedAccount,
} from '../../contract/connected-accounts/index.ts'
import { executeTool } from '../../contract/tools/index.ts'
import { exampleCatalog } from '#fixtures/auth-configs.ts'

/** Two API key configs, each with an account of the user `u`. */
async function withAccounts(t: TestContext) {
  const app = await testApp(t, { catalog: exampleCatalog() })
  const make = async () => {
    const {
      body: {
        auth_config: { id },
      },
    } = await app.call(createAuthConfig, {
      body: { toolkit: { slug: 'shop' }, auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY' } },
    })
    return {
      id,
      connect: () =>
        app.call(createConnectedAccount, {
          body: {
            auth_config: { id },
            connection: {
              user_id: 'u',
              state: { authScheme: 'API_KEY', val: { generic_api_key: 'k', subdomain: 'acme' } },
            },
          },
        }),
    }
  }
  const [first, second] = [await make(), await make()]
  return {
    ...app,
    first,
    second,
    account: (await first.connect()).body.id,
    other: (await second.connect()).body.id,
  }
}

test('disabled auth config: hidden from lists, readable, and accepts no new connection', async (t) => {
  const { call, first, second } = await withAccounts(t)
  const off = await call(setAuthConfigStatus, { params: { nanoid: first.id, status: 'DISABLED' } })
  assert.deepEqual([off.status, off.body], [200, {}])
  assert.deepEqual(
    (await call(listAuthConfigs)).body.items.map(({ id }) => id),
    [second.id],
  )
  assert.equal((await call(readAuthConfig, { params: { nanoid: first.id } })).body.status, 'DISABLED')
  const refused = await first.connect()
  assert.deepEqual(
    [refused.status, refused.body.error.code, refused.body.error.slug],
    [400, 307, 'Auth_Config_Disabled'],
  )
  assert.equal((await call(listConnectedAccounts)).body.total_items, 2)
  await call(setAuthConfigStatus, { params: { nanoid: first.id, status: 'ENABLED' } })
  assert.equal((await first.connect()).status, 201)
})

test('auth config status: setting the current status succeeds and changes nothing', async (t) => {
  const { call, first } = await withAccounts(t)
  const before = (await call(readAuthConfig, { params: { nanoid: first.id } })).body
  const { status, body } = await call(setAuthConfigStatus, {
    params: { nanoid: first.id, status: 'ENABLED' },
  })
  assert.deepEqual([status, body], [200, {}])
  assert.deepEqual((await call(readAuthConfig, { params: { nanoid: first.id } })).body, before)
})

test('auth config status: an invalid status is rejected, and an unknown config is not found', async (t) => {
  const { call, first } = await withAccounts(t)
  for (const status of ['GONE', 'enabled'])
    assert.equal(
      (await call(setAuthConfigStatus, { params: { nanoid: first.id, status: status as never } })).status,
      400,
    )
  const { status, body } = await call(setAuthConfigStatus, {
    params: { nanoid: 'ac_none', status: 'DISABLED' },
  })
  assert.deepEqual([status, body.error.code], [404, 302])
})

test('delete auth config: it is not found any more, and only its accounts become INACTIVE', async (t) => {
  const { call, first, second, account, other } = await withAccounts(t)
  const gone = await call(deleteAuthConfig, { params: { nanoid: first.id } })
  assert.deepEqual([gone.status, gone.body], [200, {}])
  for (const reply of [
    await call(deleteAuthConfig, { params: { nanoid: first.id } }),
    await call(readAuthConfig, { params: { nanoid: first.id } }),
    await call(setAuthConfigStatus, { params: { nanoid: first.id, status: 'ENABLED' } }),
    await call(updateAuthConfig, { params: { nanoid: first.id }, body: { type: 'custom', name: 'x' } }),
    await first.connect(),
  ])
    assert.deepEqual([reply.status, reply.body.error.code], [404, 302])
  assert.deepEqual(
    (await call(listAuthConfigs, { query: { show_disabled: true } })).body.items.map(({ id }) => id),
    [second.id],
  )
  const statusOf = async (nanoid: string) =>
    (await call(readConnectedAccount, { params: { nanoid } })).body.status
  assert.deepEqual([await statusOf(account), await statusOf(other)], ['INACTIVE', 'ACTIVE'])
})

test('delete auth config: its accounts can no longer execute tools', async (t) => {
  const { call, first, account } = await withAccounts(t)
  await call(deleteAuthConfig, { params: { nanoid: first.id } })
  const { status, body } = await call(executeTool, {
    params: { tool_slug: 'SHOP_GET_ORDER' },
    body: { user_id: 'u', connected_account_id: account, arguments: { id: '1' } },
  })
  assert.deepEqual([status, body.error.code], [422, 1821])
})
