import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, FreeObject, Id, Nullable, Open, Timestamp, Url, UserId } from '../common.ts'
import { ACCOUNT_STATUSES, AuthConfigScheme, AuthScheme } from '../schemes.ts'

export const readAccess = {
  audience: 'project',
  permission: { area: 'connected_accounts', level: 'read' },
} as const

export const writeAccess = {
  audience: 'project',
  permission: { area: 'connected_accounts', level: 'write' },
} as const

export const AccountId = Type.Object({ nanoid: Described(Id('ca'), 'Id of the connected account, `ca_…`.') })

export const CallbackUrl = Type.Optional(
  Described(
    Url,
    'URL to which the browser returns afterwards, with `status` and `connected_account_id` in the query.',
  ),
)

export const State = Type.Object({
  authScheme: Described(
    AuthScheme,
    'Authentication scheme, in any letter case. It must be the scheme of the auth config.',
  ),
  val: Described(
    FreeObject,
    'Credentials and other values of the connection by field name, such as `token` or ' +
      '`subdomain`. The toolkit lists them in ' +
      '`auth_config_details[].fields.connected_account_initiation`.',
  ),
})

export const Alias = Type.String({ maxLength: 128 })

const AclForShared = Type.Object({
  allow_all_users: Type.Optional(
    Type.Boolean({ description: 'Whether every user of the project may use the account. Default false.' }),
  ),
  allowed_user_ids: Type.Optional(
    Type.Array(UserId, { maxItems: 1000, description: 'Users who may use the account. At most 1000.' }),
  ),
  not_allowed_user_ids: Type.Optional(
    Type.Array(UserId, {
      maxItems: 1000,
      description: 'Users who may not use the account; this list is checked first. At most 1000.',
    }),
  ),
})

export const Experimental = Type.Object({
  account_type: Type.Optional(
    Enum(['PRIVATE', 'SHARED'], {
      description:
        '`PRIVATE` (default): only the user of the account may use it. `SHARED`: the access ' +
        'list decides.',
    }),
  ),
  acl_config_for_shared: Type.Optional(
    Described(AclForShared, 'Access list. It is only valid for SHARED accounts.'),
  ),
})

/** Credentials in a response. `val.status` repeats the status of the account. */
export const StateView = Type.Object({
  authScheme: Type.String({ description: 'Authentication scheme, in upper case.' }),
  val: Open(
    {},
    { description: 'Credentials and other values by field name, with `status`. Secrets are masked.' },
  ),
})

const IdentityFields = {
  id: Nullable(Type.String({ description: 'Id of the account at the provider; null when it is not known.' })),
  email: Nullable(
    Type.String({ description: 'E-mail address of the account at the provider; null when it is not known.' }),
  ),
  name: Nullable(
    Type.String({ description: 'Name of the account at the provider; null when it is not known.' }),
  ),
  tenant: Nullable(
    Type.String({
      description: 'Workspace, organization or tenant of the account; null when it is not known.',
    }),
  ),
  label: Type.String({ description: 'Short text that identifies the account to a person.' }),
}

/** Account at the provider. An addition of this server. */
export const AccountIdentity = Type.Object({
  ...IdentityFields,
  checked_at: Described(Timestamp, 'When the identity was last read from the provider.'),
  previous: Nullable(
    Type.Object(IdentityFields, {
      description: 'Identity before the last authentication, when that one changed it; else null.',
    }),
  ),
})

export type AccountIdentity = Static<typeof AccountIdentity>

export const ConnectedAccount = Type.Object(
  {
    id: Type.String({ description: 'Id of the connected account, `ca_…`.' }),
    word_id: Nullable(
      Type.String({
        description:
          'Second id that is easy to read, such as `gmail_brave-otter`; null for accounts without one.',
      }),
    ),
    alias: Nullable(
      Type.String({ description: 'Name that the project gave to the account; null for none.' }),
    ),
    user_id: Type.String({ description: 'Id of the user that the account belongs to.' }),
    toolkit: Type.Object(
      { slug: Type.String({ description: 'Slug of the toolkit.' }) },
      { description: 'Toolkit of the account.' },
    ),
    auth_config: Type.Object(
      {
        id: Type.String({ description: 'Id of the auth config, `ac_…`.' }),
        ...AuthConfigScheme,
        is_disabled: Type.Boolean({ description: 'Whether the auth config is disabled.' }),
        deprecated: Type.Object(
          { uuid: Type.String({ description: 'Deprecated: legacy UUID of the auth config.' }) },
          { description: 'Deprecated fields of earlier versions.' },
        ),
      },
      { description: 'Auth config of the account.' },
    ),
    status: Enum(ACCOUNT_STATUSES, {
      description:
        '`ACTIVE` accounts can execute tools. `INITIALIZING` and `INITIATED`: the user has ' +
        'not finished connecting. `FAILED`, `EXPIRED`, `REVOKED`: the user has to connect ' +
        'again. `INACTIVE`: switched off.',
    }),
    status_reason: Nullable(Type.String({ description: 'Reason for the status; null when there is none.' })),
    is_disabled: Type.Boolean({
      description: 'Whether the account cannot be used because it or its auth config is switched off.',
    }),
    created_at: Described(Timestamp, 'When the account was created.'),
    updated_at: Described(Timestamp, 'When the account was last changed.'),
    state: Described(StateView, 'Authentication scheme and credentials. Secrets are masked.'),
    data: Open({}, { description: 'Deprecated: the same as `state.val`.' }),
    identity: Nullable(
      Described(
        AccountIdentity,
        'Account at the provider; null when it is not known. An addition of this server.',
      ),
    ),
    test_request_endpoint: Type.String({
      description: 'URL of a request that tests the credentials; empty when the toolkit has none.',
    }),
    params: Type.Optional(
      Open({}, { description: 'Deprecated: ingredients of requests with this account.' }),
    ),
    requested_scopes: Type.Optional(
      Type.Array(Type.String(), { description: 'OAuth scopes that the connection requested.' }),
    ),
    requested_user_scopes: Type.Optional(
      Type.Array(Type.String(), {
        description: 'OAuth scopes that the connection requested for the user token.',
      }),
    ),
    experimental: Type.Optional(
      Type.Object(
        {
          account_type: Enum(['PRIVATE', 'SHARED'], {
            description:
              '`PRIVATE`: only the user of the account may use it. `SHARED`: the access list decides.',
          }),
          acl_config_for_shared: Type.Optional(Open({}, { description: 'Access list of a SHARED account.' })),
        },
        { description: 'Sharing of the account. Experimental.' },
      ),
    ),
    deprecated: Type.Object(
      {
        labels: Type.Array(Type.String(), { description: 'Deprecated: always empty.' }),
        uuid: Type.String({ description: 'Deprecated: legacy UUID of the account.' }),
      },
      { description: 'Deprecated fields of earlier versions.' },
    ),
  },
  { $id: 'ConnectedAccount' },
)

export type ConnectedAccount = Static<typeof ConnectedAccount>

export const Connection = Type.Object({
  user_id: Type.Optional(
    Described(
      UserId,
      'Id of the user that the account belongs to, chosen by your application. Default: `default`.',
    ),
  ),
  state: Type.Optional(
    Described(State, 'Credentials that the user supplies. Required for schemes without a browser.'),
  ),
  data: Type.Optional(Described(FreeObject, 'Deprecated: use `state.val`.')),
  callback_url: CallbackUrl,
  redirect_uri: Type.Optional(Described(Url, 'Deprecated: use `callback_url`.')),
  alias: Type.Optional(
    Described(Alias, 'Name for the account, unique for the user and toolkit. At most 128 characters.'),
  ),
  deprecated_is_v1_rerouted: Type.Optional(
    Type.Boolean({ description: 'Deprecated: accepted and ignored.' }),
  ),
  experimental: Type.Optional(Described(Experimental, 'Sharing of the account. Experimental.')),
})

export type ConnectionDraft = Static<typeof Connection>
