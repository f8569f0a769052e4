import { Type } from '../schema-type.ts'
import { Described, exampleId, Nullable, PageQuery, Timestamp } from '../common.ts'
import { route } from '../route.ts'
import { AccountId, readAccess } from './schemas.ts'

export const listAccountHistory = route({
  ...readAccess,
  id: 'connectedAccounts.history',
  method: 'GET',
  path: '/connected_accounts/:nanoid/history',
  summary: 'List the status changes of a connected account',
  description:
    'An extension of this server. Returns when the status of the account changed and why, newest first. ' +
    'Changes are stored for a year.',
  example: { params: { nanoid: exampleId('ca') }, needs: 'a connected account' },
  params: AccountId,
  query: Type.Object(PageQuery),
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        at: Described(Timestamp, 'When the status changed.'),
        from: Nullable(Type.String({ description: 'Status before; null when the account was created.' })),
        to: Type.String({ description: 'Status after.' }),
        reason: Nullable(Type.String({ description: 'Reason for the status; null when there is none.' })),
      }),
      { description: 'Changes of this page.' },
    ),
    next_cursor: Nullable(
      Type.String({ description: 'Value of `cursor` for the next page; null on the last page.' }),
    ),
  }),
  errors: ['ConnectedAccount_ResourceNotFound'],
})
