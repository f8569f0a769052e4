import { Type } from '../schema-type.ts'
import { Described, Enum, exampleId, FreeObject, PageOf, PageQuery, QueryList, Success } from '../common.ts'
import { route } from '../route.ts'
import { ACCOUNT_STATUSES, AuthScheme } from '../schemes.ts'
import { AccountId, Alias, ConnectedAccount, Experimental, readAccess, writeAccess } from './schemas.ts'

export const listConnectedAccounts = route({
  ...readAccess,
  id: 'connectedAccounts.list',
  audit: 'unmasked_secrets',
  method: 'GET',
  path: '/connected_accounts',
  summary: 'List connected accounts',
  description:
    'Returns a page of the connected accounts of the project. Values inside one filter are ' +
    'alternatives; all filters must match. SHARED accounts are left out unless `account_type` ' +
    'includes them.',
  example: { query: { user_ids: 'user-17', statuses: 'ACTIVE' } },
  query: Type.Object({
    toolkit_slugs: Type.Optional(QueryList({ description: 'Slugs of toolkits; accounts of any of them.' })),
    statuses: Type.Optional(
      Type.Array(Enum(ACCOUNT_STATUSES), {
        maxItems: 20,
        description: 'Statuses; accounts with any of them.',
      }),
    ),
    user_ids: Type.Optional(QueryList({ description: 'Ids of users; accounts of any of them.' })),
    auth_config_ids: Type.Optional(
      QueryList({ description: 'Ids of auth configs; accounts of any of them.' }),
    ),
    connected_account_ids: Type.Optional(QueryList({ description: 'Ids of connected accounts.' })),
    order_by: Type.Optional(
      Enum(['created_at', 'updated_at'], { description: 'Field to sort by. Default `created_at`.' }),
    ),
    order_direction: Type.Optional(Enum(['asc', 'desc'], { description: 'Sort order. Default `desc`.' })),
    account_type: Type.Optional(
      Enum(['PRIVATE', 'SHARED', 'ALL'], { description: '`PRIVATE` (default), `SHARED` or `ALL` accounts.' }),
    ),
    ...PageQuery,
  }),
  reply: PageOf(ConnectedAccount),
})

export const readConnectedAccount = route({
  ...readAccess,
  id: 'connectedAccounts.read',
  audit: 'unmasked_secrets',
  method: 'GET',
  path: '/connected_accounts/:nanoid',
  summary: 'Read one connected account',
  description:
    'Returns one connected account with its status, its identity at the provider and its masked ' +
    'credentials. Poll it while a user connects: the account is ACTIVE when the connection is complete.',
  example: { params: { nanoid: exampleId('ca') }, needs: 'a connected account' },
  params: AccountId,
  reply: ConnectedAccount,
  errors: ['ConnectedAccount_ResourceNotFound'],
})

export const updateConnectedAccount = route({
  ...writeAccess,
  id: 'connectedAccounts.update',
  method: 'PATCH',
  path: '/connected_accounts/:nanoid',
  summary: 'Change the alias or the credentials of a connected account',
  description:
    'Changes the alias, the credentials or the sharing of an account. New credentials make an ' +
    'EXPIRED account ACTIVE. Credentials can only be changed for schemes without a browser.',
  example: { params: { nanoid: exampleId('ca') }, body: { alias: 'work' }, needs: 'a connected account' },
  params: AccountId,
  body: Type.Object({
    alias: Type.Optional(Described(Alias, 'New alias. An empty text removes the alias.')),
    connection: Type.Optional(
      Type.Object(
        {
          state: Type.Object(
            {
              authScheme: Described(
                AuthScheme,
                'Authentication scheme, in any letter case. It must be the scheme of the account.',
              ),
              val: Described(
                FreeObject,
                'Values to change, by field name. Null removes a value; others stay as they are.',
              ),
            },
            { description: 'Scheme and credentials to change.' },
          ),
        },
        { description: 'New credentials.' },
      ),
    ),
    experimental: Type.Optional(Described(Experimental, 'Sharing of the account. Experimental.')),
  }),
  reply: Type.Object({
    success: Type.Boolean({ description: 'Always true: a failure returns an error envelope.' }),
    id: Type.String({ description: 'Id of the connected account, `ca_…`.' }),
    status: Enum(ACCOUNT_STATUSES, { description: 'Status of the account after the change.' }),
  }),
  errors: [
    'ConnectedAccount_ResourceNotFound',
    'ConnectedAccount_BadRequest',
    'ConnectedAccount_AliasConflict',
    'Auth_Config_MissingRequiredField',
  ],
})

export const setConnectedAccountStatus = route({
  ...writeAccess,
  id: 'connectedAccounts.setStatus',
  method: 'PATCH',
  path: '/connected_accounts/:nanoid/status',
  summary: 'Enable or disable a connected account',
  description:
    'Switches an ACTIVE account off, or an INACTIVE one on. Its triggers are disabled and enabled ' +
    'with it. Accounts with another status return `ConnectedAccount_BadRequest`.',
  example: { params: { nanoid: exampleId('ca') }, body: { enabled: false }, needs: 'a connected account' },
  params: AccountId,
  body: Type.Object({
    enabled: Type.Boolean({ description: 'True sets the account ACTIVE, false sets it INACTIVE.' }),
    reason: Type.Optional(
      Type.String({ maxLength: 500, description: 'Why the status changes, for the history of the account.' }),
    ),
  }),
  reply: Success,
  errors: ['ConnectedAccount_ResourceNotFound', 'ConnectedAccount_BadRequest'],
})

export const deleteConnectedAccount = route({
  ...writeAccess,
  id: 'connectedAccounts.delete',
  method: 'DELETE',
  path: '/connected_accounts/:nanoid',
  summary: 'Delete a connected account',
  description:
    'Deletes a connected account and its trigger instances. Later calls return 404; the record stays ' +
    'in the database for audits. Tokens at the provider stay valid unless `revoke_on_delete` is true.',
  example: {
    params: { nanoid: exampleId('ca') },
    query: { revoke_on_delete: true },
    needs: 'a connected account',
  },
  params: AccountId,
  query: Type.Object({
    revoke_on_delete: Type.Optional(
      Type.Boolean({
        description:
          'Also revoke the access at the provider. This continues after the response. Default false.',
      }),
    ),
  }),
  reply: Type.Object({
    success: Type.Boolean({ description: 'Always true: a failure returns an error envelope.' }),
    revoke_job_id: Type.Optional(
      Type.String({ description: 'Id of the revocation job, when `revoke_on_delete` is true.' }),
    ),
  }),
  errors: ['ConnectedAccount_ResourceNotFound'],
})

export const revokeConnectedAccount = route({
  ...writeAccess,
  id: 'connectedAccounts.revoke',
  method: 'POST',
  path: '/connected_accounts/:nanoid/revoke',
  summary: 'Revoke the credentials at the provider',
  description:
    'Revokes the tokens of an ACTIVE account at the provider and sets the account REVOKED. A ' +
    'repeated call succeeds and returns no tokens. Providers without revocation return ' +
    '`ConnectedAccount_RevokeNotSupported`.',
  example: { params: { nanoid: exampleId('ca') }, needs: 'a connected OAuth account' },
  params: AccountId,
  reply: Type.Object({
    revoked_tokens: Type.Array(Type.String(), {
      description:
        'Kinds of tokens that were revoked, such as `access_token`. Empty when the account ' +
        'was revoked before.',
    }),
    connected_account: Type.Object(
      {
        id: Type.String({ description: 'Id of the connected account, `ca_…`.' }),
        status: Enum(ACCOUNT_STATUSES, { description: 'Status of the account: `REVOKED`.' }),
      },
      { description: 'The account.' },
    ),
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
