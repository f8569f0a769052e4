import { Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Id, Nullable, Timestamp, Url, UserId } from '../common.ts'
import { route } from '../route.ts'
import { ACCOUNT_STATUSES } from '../schemes.ts'
import { AccountId, Alias, CallbackUrl, Connection, Experimental, StateView, writeAccess } from './schemas.ts'

export const createConnectedAccount = route({
  ...writeAccess,
  id: 'connectedAccounts.create',
  method: 'POST',
  path: '/connected_accounts',
  summary: 'Connect an account, or start connecting it',
  description:
    'Connects an account with credentials that you have, or starts an OAuth flow. Schemes without a ' +
    'browser make the account ACTIVE at once. For the others, open `redirect_url` in the browser of ' +
    'the user within ten minutes. Users who should enter credentials themselves get a hosted page ' +
    'from `POST /connected_accounts/link`.',
  example: {
    body: {
      auth_config: { id: exampleId('ac') },
      connection: {
        user_id: 'user-17',
        state: { authScheme: 'BEARER_TOKEN', val: { token: 'github_pat_example' } },
      },
    },
    needs: 'an auth config',
  },
  body: Type.Object({
    auth_config: Type.Object(
      { id: Described(Id('ac'), 'Id of the auth config, `ac_…`.') },
      { description: 'Auth config to connect with.' },
    ),
    connection: Described(Connection, 'The new connection.'),
    validate_credentials: Type.Optional(
      Type.Boolean({
        description:
          'true: reject the credentials unless a test request with them succeeds; API-key schemes only. ' +
          'false: store them untried. Without the field they are tried if the toolkit can do that, and only ' +
          'credentials that the application rejects are an error.',
      }),
    ),
  }),
  status: 201,
  reply: Type.Object({
    id: Type.String({ description: 'Id of the connected account, `ca_…`.' }),
    status: Enum(ACCOUNT_STATUSES, {
      description: 'Status of the account: `ACTIVE` when no browser is needed.',
    }),
    redirect_url: Nullable(
      Type.String({ description: 'URL to open in the browser of the user; null when none is needed.' }),
    ),
    redirect_uri: Nullable(Type.String({ description: 'Deprecated: the same as `redirect_url`.' })),
    verified: Type.Boolean({
      description:
        'Whether the application accepted the credentials before this response. False if the toolkit cannot try ' +
        'them, if the application did not respond, and until a user has granted access. An addition of this server.',
    }),
    connectionData: Described(StateView, 'Authentication scheme and values of the connection.'),
    deprecated: Type.Object(
      {
        uuid: Type.String({ description: 'Deprecated: legacy UUID of the account.' }),
        authConfigUuid: Type.String({ description: 'Deprecated: legacy UUID of the auth config.' }),
      },
      { description: 'Deprecated fields of earlier versions.' },
    ),
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
  ...writeAccess,
  id: 'connectedAccounts.link',
  method: 'POST',
  path: '/connected_accounts/link',
  summary: 'Start connecting on the hosted page',
  description:
    'Creates an account with the status INITIALIZING and returns the URL of a hosted page on which ' +
    'the user connects. It works for every scheme: the page redirects to the provider, or asks for ' +
    'the credentials. The link is valid for ten minutes.',
  example: {
    body: {
      auth_config_id: exampleId('ac'),
      user_id: 'user-17',
      callback_url: 'https://app.example.com/connected',
    },
    needs: 'an auth config',
  },
  neverRetry: true,
  body: Type.Object({
    auth_config_id: Described(Id('ac'), 'Id of the auth config, `ac_…`.'),
    user_id: Described(UserId, 'Id of the user that the account will belong to, chosen by your application.'),
    callback_url: CallbackUrl,
    connection_data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: 200,
        description: 'Known values of the connection by field name. The page asks the user for the others.',
      }),
    ),
    alias: Type.Optional(
      Described(Alias, 'Name for the account, unique for the user and toolkit. At most 128 characters.'),
    ),
    experimental: Type.Optional(Described(Experimental, 'Sharing of the account. Experimental.')),
    alternative_auth_config_ids: Type.Optional(
      Type.Array(Id('ac'), {
        maxItems: 8,
        description:
          'Further auth configs of the same toolkit, each with another scheme. The page lets the user choose how to ' +
          'sign in; the account then belongs to the chosen one. At most 8. An addition of this server.',
      }),
    ),
    connected_account_id: Type.Optional(
      Type.Unsafe<string>({
        ...Id('ca'),
        description:
          'Existing account of this user and auth config to connect again. It keeps its id, ' +
          'and its credentials until the new ones are valid. An addition of this server.',
      }),
    ),
  }),
  status: 201,
  reply: Type.Object({
    link_token: Type.String({ description: 'Secret of the link, part of `redirect_url`.' }),
    redirect_url: Type.String({ description: 'URL of the hosted page. Open it in the browser of the user.' }),
    expires_at: Described(Timestamp, 'When the link expires: ten minutes after its creation.'),
    connected_account_id: Type.String({ description: 'Id of the connected account, `ca_…`.' }),
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
  ...writeAccess,
  id: 'connectedAccounts.completeAuth',
  method: 'POST',
  path: '/connected_accounts/complete_auth',
  summary: 'Confirm who completed a connection',
  description:
    'Confirms that the user who completed a connection is the signed-in user of your application. It ' +
    'is needed only when the project has an `identity_verification_url`. The session is valid for ' +
    'ten minutes and for one confirmation; another user sets the account FAILED.',
  example: {
    body: { session_uri: 'session_7hQ2vLk9TmXa', user_id: 'user-17' },
    needs: 'a connection that waits for its confirmation',
  },
  body: Type.Object({
    session_uri: Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'Value of `session_uri` with which the browser reached the project’s ' +
        '`identity_verification_url`.',
    }),
    user_id: Described(
      UserId,
      'Id of the signed-in user of your application. It must be the user of the connection.',
    ),
  }),
  reply: Type.Object({
    connected_account_id: Type.String({ description: 'Id of the account that is now ACTIVE, `ca_…`.' }),
    toolkit_slug: Type.String({ description: 'Slug of its toolkit.' }),
  }),
  errors: ['ConnectedAccount_AuthSessionNotFound', 'ConnectedAccount_BadRequest'],
})

export const refreshConnectedAccount = route({
  ...writeAccess,
  id: 'connectedAccounts.refresh',
  method: 'POST',
  path: '/connected_accounts/:nanoid/refresh',
  summary: 'Authenticate a connected account again',
  description:
    'Starts a new authentication of an account, also of an EXPIRED one. For OAuth, open ' +
    '`redirect_url` in the browser of the user within ten minutes. Other schemes check the stored ' +
    'credentials again. Access tokens are refreshed automatically; this call is not needed for that.',
  example: {
    params: { nanoid: exampleId('ca') },
    body: { redirect_url: 'https://app.example.com/connected' },
    needs: 'a connected account',
  },
  params: AccountId,
  query: Type.Object({
    redirect_url: Type.Optional(
      Described(Url, 'URL to which the browser returns afterwards. The value in the body takes precedence.'),
    ),
  }),
  body: Type.Object({
    redirect_url: Type.Optional(Described(Url, 'URL to which the browser returns afterwards.')),
    validate_credentials: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Send a test request with the credentials. Default false.',
      }),
    ),
  }),
  reply: Type.Object({
    id: Type.String({ description: 'Id of the connected account, `ca_…`.' }),
    status: Enum(ACCOUNT_STATUSES, {
      description: 'Status of the account: `INITIATED` until the user has authenticated again.',
    }),
    redirect_url: Nullable(
      Type.String({ description: 'URL to open in the browser of the user; null when none is needed.' }),
    ),
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
