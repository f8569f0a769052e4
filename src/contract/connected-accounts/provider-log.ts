import { Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Nullable, Open, Timestamp } from '../common.ts'
import { route } from '../route.ts'
import { ACCOUNT_STATUSES } from '../schemes.ts'
import { AccountId, AccountIdentity, readAccess } from './schemas.ts'

const ProviderRequest = Type.Object({
  at: Described(Timestamp, 'When the request was sent.'),
  kind: Enum(['start', 'code', 'refresh', 'sign_in', 'revoke', 'probe', 'follow_up', 'post_connect'], {
    description:
      'Purpose of the request: `code` exchanges an authorization code, `refresh` refreshes ' +
      'a token, `probe` tests credentials.',
  }),
  outcome: Enum(['ok', 'refused', 'trouble'], {
    description: '`ok`: accepted. `refused`: rejected by the provider. `trouble`: no usable response.',
  }),
  code: Nullable(
    Type.String({ description: 'Error code of the provider or of the network; null on success.' }),
  ),
  duration_ms: Type.Integer({ description: 'Duration in milliseconds.' }),
  request: Nullable(
    Open({}, { description: 'The request, with secrets redacted; null when none was sent.' }),
  ),
  answer: Open({}, { description: 'The response, with secrets redacted.' }),
})

const Finding = Type.Object({
  exchange: Type.Integer({
    description: 'Position in `items` of the request that shows the problem, from 0.',
  }),
  cause: Type.String({ description: 'The cause, in one sentence.' }),
  field: Nullable(Type.String({ description: 'Credential field that is the likely cause; null for none.' })),
  fix: Type.String({ description: 'The next step.' }),
})

/** An addition of this server, used by `patchbay doctor connection`. */
export const listProviderRequests = route({
  ...readAccess,
  id: 'connectedAccounts.exchanges',
  method: 'GET',
  path: '/connected_accounts/:nanoid/exchanges',
  summary: 'List the provider requests of a connected account',
  description:
    'Returns the latest requests between the server and the provider for one account, such as token ' +
    'exchanges and refreshes, with secrets redacted. `findings` names likely causes of a failed ' +
    'connection. `patchbay doctor connection` prints the same.',
  example: { params: { nanoid: exampleId('ca') }, needs: 'a connected account' },
  params: AccountId,
  reply: Type.Object({
    account: Type.Object(
      {
        id: Type.String({ description: 'Id of the connected account, `ca_…`.' }),
        status: Enum(ACCOUNT_STATUSES, { description: 'Status of the account.' }),
        status_reason: Nullable(
          Type.String({ description: 'Reason for the status; null when there is none.' }),
        ),
        toolkit: Type.Object(
          { slug: Type.String({ description: 'Slug of the toolkit.' }) },
          { description: 'Toolkit of the account.' },
        ),
        user_id: Type.String({ description: 'Id of the user that the account belongs to.' }),
        auth_config: Type.Object(
          {
            id: Type.String({ description: 'Id of the auth config, `ac_…`.' }),
            auth_scheme: Type.String({ description: 'Authentication scheme, in upper case.' }),
          },
          { description: 'Auth config of the account.' },
        ),
        identity: Nullable(Described(AccountIdentity, 'Account at the provider; null when it is not known.')),
        token_expires_at: Nullable(
          Described(Timestamp, 'When the access token expires; null when that is not known.'),
        ),
      },
      { description: 'The account.' },
    ),
    items: Type.Array(ProviderRequest, { description: 'Requests to the provider, newest first.' }),
    findings: Type.Array(Finding, { description: 'Problems that the requests point to.' }),
  }),
  errors: ['ConnectedAccount_ResourceNotFound'],
})
