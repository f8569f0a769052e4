import { type Static, Type } from 'typebox'
import {
  Enum,
  FreeObject,
  Id,
  Nullable,
  Open,
  PageOf,
  PageQuery,
  QueryList,
  Success,
  Timestamp,
  Url,
  UserId,
} from './common.ts'
import { route } from './route.ts'
import { ACCOUNT_STATUSES, AuthScheme } from './schemes.ts'

const reads = { audience: 'project', permission: { area: 'connected_accounts', level: 'read' } } as const
const writes = { audience: 'project', permission: { area: 'connected_accounts', level: 'write' } } as const
const AccountId = Type.Object({ nanoid: Id('ca') })

const State = Type.Object({ authScheme: AuthScheme, val: FreeObject })
const Alias = Type.String({ maxLength: 128 })
const AclForShared = Type.Object({
  allow_all_users: Type.Optional(Type.Boolean()),
  allowed_user_ids: Type.Optional(Type.Array(UserId, { maxItems: 1000 })),
  not_allowed_user_ids: Type.Optional(Type.Array(UserId, { maxItems: 1000 })),
})
const Experimental = Type.Object({
  account_type: Type.Optional(Enum(['PRIVATE', 'SHARED'])),
  acl_config_for_shared: Type.Optional(AclForShared),
})

/** `{authScheme, val}`; `val.status` repeats the status. */
const StateView = Type.Object({ authScheme: Type.String(), val: Open({}) })

const IDENTITY = {
  id: Nullable(Type.String()),
  email: Nullable(Type.String()),
  name: Nullable(Type.String()),
  tenant: Nullable(Type.String()),
  label: Type.String({ description: 'As a person reads it.' }),
}
/** An addition of this server: whose account it is at the provider. */
const ShownIdentity = Type.Object({
  ...IDENTITY,
  checked_at: Timestamp,
  previous: Nullable(
    Type.Object(IDENTITY, {
      description: 'Whose account it was before, when the last authentication changed that.',
    }),
  ),
})
export type ShownIdentity = Static<typeof ShownIdentity>

export const ConnectedAccount = Type.Object(
  {
    id: Type.String(),
    word_id: Nullable(Type.String()),
    alias: Nullable(Type.String()),
    user_id: Type.String(),
    toolkit: Type.Object({ slug: Type.String() }),
    auth_config: Type.Object({
      id: Type.String(),
      auth_scheme: Type.String(),
      is_service_managed: Type.Boolean(),
      is_disabled: Type.Boolean(),
      deprecated: Type.Object({ uuid: Type.String() }),
    }),
    status: Enum(ACCOUNT_STATUSES),
    status_reason: Nullable(Type.String()),
    is_disabled: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
    state: StateView,
    data: Open({}),
    identity: Nullable(ShownIdentity),
    test_request_endpoint: Type.String(),
    params: Type.Optional(Open({})),
    requested_scopes: Type.Optional(Type.Array(Type.String())),
    requested_user_scopes: Type.Optional(Type.Array(Type.String())),
    experimental: Type.Optional(
      Type.Object({
        account_type: Enum(['PRIVATE', 'SHARED']),
        acl_config_for_shared: Type.Optional(Open({})),
      }),
    ),
    deprecated: Type.Object({ labels: Type.Array(Type.String()), uuid: Type.String() }),
  },
  { $id: 'ConnectedAccount' },
)
export type ConnectedAccount = Static<typeof ConnectedAccount>

const Connection = Type.Object({
  user_id: Type.Optional(UserId),
  state: Type.Optional(State),
  data: Type.Optional(FreeObject),
  callback_url: Type.Optional(Url),
  redirect_uri: Type.Optional(Url),
  alias: Type.Optional(Alias),
  deprecated_is_v1_rerouted: Type.Optional(Type.Boolean()),
  experimental: Type.Optional(Experimental),
})
export type ConnectionDraft = Static<typeof Connection>

export const createConnectedAccount = route({
  ...writes,
  id: 'connectedAccounts.create',
  method: 'POST',
  path: '/connected_accounts',
  summary: 'Connect an account, or start connecting it',
  body: Type.Object({
    auth_config: Type.Object({ id: Id('ac') }),
    connection: Connection,
    validate_credentials: Type.Optional(Type.Boolean({ default: false })),
  }),
  status: 201,
  reply: Type.Object({
    id: Type.String(),
    status: Enum(ACCOUNT_STATUSES),
    redirect_url: Nullable(Type.String()),
    redirect_uri: Nullable(Type.String()),
    connectionData: StateView,
    deprecated: Type.Object({ uuid: Type.String(), authConfigUuid: Type.String() }),
  }),
  errors: [
    'Auth_Config_NotFound',
    'Auth_Config_Disabled',
    'Auth_Config_SchemeNotSupported',
    'Auth_Config_MissingRequiredField',
    'ConnectedAccount_BadRequest',
    'ConnectedAccount_AliasConflict',
    'ConnectedAccount_AclOnlyForShared',
    'ConnectedAccount_NotImplemented',
  ],
})
export const linkConnectedAccount = route({
  ...writes,
  id: 'connectedAccounts.link',
  method: 'POST',
  path: '/connected_accounts/link',
  summary: 'Start connecting on the hosted page',
  neverRetry: true,
  body: Type.Object({
    auth_config_id: Id('ac'),
    user_id: UserId,
    callback_url: Type.Optional(Url),
    connection_data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: 200,
        description: 'Fields of the connection that are known; the page asks for the others.',
      }),
    ),
    alias: Type.Optional(Alias),
    experimental: Type.Optional(Experimental),
    connected_account_id: Type.Optional(
      Type.Unsafe<string>({
        ...Id('ca'),
        description:
          'An account of this user and auth config to connect again: it keeps its id, and its credentials until the new ones are there. An addition of this server.',
      }),
    ),
  }),
  status: 201,
  reply: Type.Object({
    link_token: Type.String(),
    redirect_url: Type.String(),
    expires_at: Timestamp,
    connected_account_id: Type.String(),
  }),
  errors: [
    'Auth_Config_NotFound',
    'Auth_Config_Disabled',
    'Auth_Config_SchemeNotSupported',
    'ConnectedAccount_BadRequest',
    'ConnectedAccount_ResourceNotFound',
    'ConnectedAccount_AliasConflict',
    'ConnectedAccount_AclOnlyForShared',
    'ConnectedAccount_NotImplemented',
  ],
})
export const completeAuth = route({
  ...writes,
  id: 'connectedAccounts.completeAuth',
  method: 'POST',
  path: '/connected_accounts/complete_auth',
  summary: 'Confirm who completed a connection',
  body: Type.Object({
    session_uri: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'What the browser brought to the identity_verification_url of the project.',
    }),
    user_id: UserId,
  }),
  reply: Type.Object({ connected_account_id: Type.String(), toolkit_slug: Type.String() }),
  errors: ['ConnectedAccount_AuthSessionNotFound', 'ConnectedAccount_BadRequest'],
})
export const listConnectedAccounts = route({
  ...reads,
  id: 'connectedAccounts.list',
  method: 'GET',
  path: '/connected_accounts',
  summary: 'List connected accounts',
  query: Type.Object({
    toolkit_slugs: Type.Optional(QueryList()),
    statuses: Type.Optional(Type.Array(Enum(ACCOUNT_STATUSES), { maxItems: 20 })),
    user_ids: Type.Optional(QueryList()),
    auth_config_ids: Type.Optional(QueryList()),
    connected_account_ids: Type.Optional(QueryList()),
    order_by: Type.Optional(Enum(['created_at', 'updated_at'])),
    order_direction: Type.Optional(Enum(['asc', 'desc'])),
    account_type: Type.Optional(Enum(['PRIVATE', 'SHARED', 'ALL'])),
    ...PageQuery,
  }),
  reply: PageOf(ConnectedAccount),
})
export const readConnectedAccount = route({
  ...reads,
  id: 'connectedAccounts.read',
  method: 'GET',
  path: '/connected_accounts/:nanoid',
  summary: 'Read one connected account',
  params: AccountId,
  reply: ConnectedAccount,
  errors: ['ConnectedAccount_ResourceNotFound'],
})
export const updateConnectedAccount = route({
  ...writes,
  id: 'connectedAccounts.update',
  method: 'PATCH',
  path: '/connected_accounts/:nanoid',
  summary: 'Change the alias or the credentials of a connected account',
  params: AccountId,
  body: Type.Object({
    alias: Type.Optional(Alias),
    connection: Type.Optional(
      Type.Object({ state: Type.Object({ authScheme: AuthScheme, val: FreeObject }) }),
    ),
    experimental: Type.Optional(Experimental),
  }),
  reply: Type.Object({ success: Type.Boolean(), id: Type.String(), status: Enum(ACCOUNT_STATUSES) }),
  errors: [
    'ConnectedAccount_ResourceNotFound',
    'ConnectedAccount_BadRequest',
    'ConnectedAccount_AliasConflict',
    'Auth_Config_MissingRequiredField',
  ],
})
export const setConnectedAccountStatus = route({
  ...writes,
  id: 'connectedAccounts.setStatus',
  method: 'PATCH',
  path: '/connected_accounts/:nanoid/status',
  summary: 'Switch a connected account on or off',
  params: AccountId,
  body: Type.Object({ enabled: Type.Boolean() }),
  reply: Success,
  errors: ['ConnectedAccount_ResourceNotFound', 'ConnectedAccount_BadRequest'],
})
export const deleteConnectedAccount = route({
  ...writes,
  id: 'connectedAccounts.delete',
  method: 'DELETE',
  path: '/connected_accounts/:nanoid',
  summary: 'Delete a connected account; its record is kept for audit',
  params: AccountId,
  query: Type.Object({
    revoke_on_delete: Type.Optional(
      Type.Boolean({ description: 'End the access at the provider too; this goes on after the answer.' }),
    ),
  }),
  reply: Type.Object({ success: Type.Boolean(), revoke_job_id: Type.Optional(Type.String()) }),
  errors: ['ConnectedAccount_ResourceNotFound'],
})
export const refreshConnectedAccount = route({
  ...writes,
  id: 'connectedAccounts.refresh',
  method: 'POST',
  path: '/connected_accounts/:nanoid/refresh',
  summary: 'Authenticate a connected account again',
  params: AccountId,
  query: Type.Object({ redirect_url: Type.Optional(Url) }),
  body: Type.Object({
    redirect_url: Type.Optional(Url),
    validate_credentials: Type.Optional(Type.Boolean({ default: false })),
  }),
  reply: Type.Object({
    id: Type.String(),
    status: Enum(ACCOUNT_STATUSES),
    redirect_url: Nullable(Type.String()),
  }),
  errors: [
    'ConnectedAccount_ResourceNotFound',
    'ConnectedAccount_BadRequest',
    'ConnectedAccount_NotImplemented',
    'Auth_Config_Disabled',
    'ActionExecute_UpstreamUnreachable',
    'ActionExecute_UpstreamTimeout',
  ],
})
export const revokeConnectedAccount = route({
  ...writes,
  id: 'connectedAccounts.revoke',
  method: 'POST',
  path: '/connected_accounts/:nanoid/revoke',
  summary: 'Revoke the credentials at the provider',
  params: AccountId,
  reply: Type.Object({
    revoked_tokens: Type.Array(Type.String()),
    connected_account: Type.Object({ id: Type.String(), status: Enum(ACCOUNT_STATUSES) }),
  }),
  errors: [
    'ConnectedAccount_ResourceNotFound',
    'ConnectedAccount_BadRequest',
    'ConnectedAccount_RevokeNotSupported',
    'ConnectedAccount_NotRevokable',
    'ActionExecute_UpstreamUnreachable',
    'ActionExecute_UpstreamTimeout',
  ],
})

const Exchange = Type.Object({
  at: Timestamp,
  kind: Enum(['start', 'code', 'refresh', 'sign_in', 'revoke', 'probe', 'follow_up', 'post_connect']),
  outcome: Enum(['ok', 'refused', 'trouble']),
  code: Nullable(Type.String()),
  duration_ms: Type.Integer(),
  /** Null where nothing was sent. Names of everything, values only of what is harmless. */
  request: Nullable(Open({})),
  answer: Open({}),
})
const Finding = Type.Object({
  /** Position in `items` of the exchange that shows it. */
  exchange: Type.Integer(),
  cause: Type.String(),
  field: Nullable(Type.String()),
  fix: Type.String(),
})
/** An addition of this server: no client of the API needs it, `patchbay doctor connection` does. */
export const listExchanges = route({
  ...reads,
  id: 'connectedAccounts.exchanges',
  method: 'GET',
  path: '/connected_accounts/:nanoid/exchanges',
  summary: 'Show what was said with the provider, secrets redacted, and what it points to',
  params: AccountId,
  reply: Type.Object({
    account: Type.Object({
      id: Type.String(),
      status: Enum(ACCOUNT_STATUSES),
      status_reason: Nullable(Type.String()),
      toolkit: Type.Object({ slug: Type.String() }),
      user_id: Type.String(),
      auth_config: Type.Object({ id: Type.String(), auth_scheme: Type.String() }),
      identity: Nullable(ShownIdentity),
      token_expires_at: Nullable(Timestamp),
    }),
    items: Type.Array(Exchange),
    findings: Type.Array(Finding),
  }),
  errors: ['ConnectedAccount_ResourceNotFound'],
})
