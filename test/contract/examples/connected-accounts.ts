import { createHash } from 'node:crypto'
import { createAuthConfig } from '../../../src/contract/auth-configs/index.ts'
import { createConnectedAccount } from '../../../src/contract/connected-accounts/index.ts'
import { sql, values } from '../../../src/platform/db/sql.ts'
import { unique } from '../world.ts'
import type { Example } from './samples.ts'

const connection = () => ({
  user_id: `user-${unique()}`,
  alias: `alias-${unique()}`,
  state: { authScheme: 'BEARER_TOKEN', val: { token: 'secret', server_url: 'http://127.0.0.1:9' } },
})

/** Calls of the operations of auth configs and connected accounts. */
export const CONNECTED_ACCOUNTS_EXAMPLES: Readonly<Record<string, Example>> = {
  'connectedAccounts.history': ({ own }) => ({ params: { nanoid: own.account } }),
  'authConfigs.list': () => ({ query: { toolkit_slug: ['nodered'], show_disabled: true } }),
  'authConfigs.create': () => ({
    body: {
      toolkit: { slug: 'nodered' },
      auth_config: {
        type: 'use_custom_auth',
        authScheme: 'BEARER_TOKEN',
        name: 'Flows',
        credentials: { note: 'n' },
        shared_credentials: { server_url: 'http://127.0.0.1:9' },
        tool_access_config: { tools_available_for_execution: ['NODERED_GET_FLOW'] },
        proxy_config: { proxy_url: 'http://127.0.0.1:8', proxy_auth_key: 'k' },
        is_enabled_for_tool_router: true,
      },
    },
  }),
  'authConfigs.read': ({ own }) => ({ params: { nanoid: own.authConfig } }),
  'authConfigs.update': ({ own }) => ({
    params: { nanoid: own.authConfig },
    body: {
      type: 'custom',
      name: 'Renamed',
      credentials: { note: 'm' },
      shared_credentials: { server_url: 'http://127.0.0.1:9' },
      proxy_config: null,
      is_enabled_for_tool_router: false,
      tool_access_config: { tools_available_for_execution: [] },
    },
  }),
  'authConfigs.delete': async ({ authConfig }) => ({ params: { nanoid: await authConfig() } }),
  'authConfigs.setStatus': async ({ authConfig }) => ({
    params: { nanoid: await authConfig(), status: 'DISABLED' },
  }),
  'connectedAccounts.create': ({ own }) => ({
    body: { auth_config: { id: own.authConfig }, connection: connection(), validate_credentials: false },
  }),
  'connectedAccounts.link': ({ own }) => ({
    body: {
      auth_config_id: own.authConfig,
      user_id: 'user-1',
      callback_url: 'https://app.example.com/done',
      connection_data: { server_url: 'http://127.0.0.1:9' },
      alias: `alias-${unique()}`,
    },
  }),
  'connectedAccounts.list': () => ({
    query: { statuses: ['ACTIVE'], order_by: 'updated_at', order_direction: 'asc', account_type: 'ALL' },
  }),
  'connectedAccounts.read': ({ own }) => ({ params: { nanoid: own.account } }),
  'connectedAccounts.exchanges': ({ own }) => ({ params: { nanoid: own.account } }),
  'connectedAccounts.update': ({ own }) => ({
    params: { nanoid: own.account },
    body: {
      alias: `alias-${unique()}`,
      connection: { state: { authScheme: 'BEARER_TOKEN', val: { token: 'other' } } },
      experimental: {
        account_type: 'SHARED',
        acl_config_for_shared: {
          allow_all_users: false,
          allowed_user_ids: ['user-2'],
          not_allowed_user_ids: [],
        },
      },
    },
  }),
  'connectedAccounts.setStatus': ({ own }) => ({ params: { nanoid: own.account }, body: { enabled: true } }),
  'connectedAccounts.delete': async ({ account, own }) => ({
    params: { nanoid: await account(own.call, own.authConfig) },
    query: { revoke_on_delete: true },
  }),
  'connectedAccounts.refresh': async ({ own }) => {
    const credentials = { client_id: 'id', client_secret: 'secret' }
    const config = await own.call(createAuthConfig, {
      body: {
        toolkit: { slug: 'gmail' },
        auth_config: { type: 'use_custom_auth', authScheme: 'OAUTH2', credentials },
      },
    })
    const made = await own.call(createConnectedAccount, {
      body: {
        auth_config: config.body.auth_config,
        connection: { state: { authScheme: 'OAUTH2', val: { status: 'ACTIVE', access_token: 'a' } } },
      },
    })
    return {
      params: { nanoid: made.body.id },
      body: { redirect_url: 'https://app.example/done', validate_credentials: false },
    }
  },
  'connectedAccounts.completeAuth': async ({ app, account, own, encryptor }) => {
    const [id, session] = [
      await account(own.call, own.authConfig),
      `session_${unique()}${unique()}${'x'.repeat(8)}`,
    ]
    const row = await app.db.one<{ project_id: string; user_id: string }>(
      sql`update connected_accounts set status = 'INITIATED' where id = ${id} returning project_id, user_id`,
    )
    const pendingId = `cw_${unique()}`
    const grant = {
      kind: 'connect',
      replacesAll: false,
      credentials: { token: 'secret' },
      expiresAt: null,
      scopes: null,
      step: 0,
      isFromProvider: true,
    }
    await app.db.run(
      sql`insert into pending_connections ${values({
        id: pendingId,
        project_id: row?.project_id,
        connected_account_id: id,
        waits_for: 'confirmation',
        key_hash: createHash('sha256').update(session).digest(),
        encrypted_payload: encryptor.encryptWithRing(
          { grant, what: '', choices: [] },
          `pending_connections:${pendingId}:encrypted_payload`,
        ),
        expires_at: sql`now() + interval '1 minute'`,
      })}`,
    )
    return { body: { session_uri: session, user_id: row?.user_id } }
  },
  // The provider is not asked again about what has been revoked.
  'connectedAccounts.revoke': async ({ app, account, own }) => {
    const nanoid = await account(own.call, own.authConfig)
    await app.db.run(sql`update connected_accounts set status = 'REVOKED' where id = ${nanoid}`)
    return { params: { nanoid } }
  },
}
