import { type Static, Type } from './schema-type.ts'
import { Described, Enum, Nullable, PageQuery, Timestamp, UserId } from './common.ts'
import { route } from './route.ts'

const read = { audience: 'project', permission: { area: 'connected_accounts', level: 'read' } } as const

const Summary = {
  user_id: Described(UserId, 'Id of the user in your application.'),
  accounts: Type.Integer({ description: 'Number of connected accounts.' }),
  active_accounts: Type.Integer({ description: 'Number of connected accounts that are ACTIVE.' }),
  sessions: Type.Integer({ description: 'Number of sessions.' }),
  calls_7d: Type.Integer({ description: 'Number of executions in the last seven days.' }),
  failed_7d: Type.Integer({ description: 'Number of executions that failed in the last seven days.' }),
  last_call_at: Nullable(
    Type.String({ format: 'date-time', description: 'Begin of the last execution; null for none.' }),
  ),
}
const UserSummary = Type.Object(Summary, { $id: 'UserSummary' })
export type UserSummary = Static<typeof UserSummary>

const Deletion = Type.Object(
  {
    id: Type.String({ description: 'Id of the deletion, `udl_…`.' }),
    status: Enum(['pending', 'done', 'failed'], {
      description: '`pending` while the background job runs; `failed` after its last attempt.',
    }),
    removed: Type.Record(Type.String(), Type.Integer(), {
      description: 'What was removed so far, by kind, such as `accounts` and `executions`.',
    }),
    last_error: Nullable(Type.String({ description: 'Error of the last attempt; null for none.' })),
    created_at: Described(Timestamp, 'When the deletion was requested.'),
    finished_at: Nullable(
      Type.String({ format: 'date-time', description: 'When it ended; null while it runs.' }),
    ),
  },
  { $id: 'UserDeletion' },
)
export type UserDeletion = Static<typeof Deletion>

const params = Type.Object({ user_id: Described(UserId, 'Id of the user in your application.') })

export const listUsers = route({
  ...read,
  id: 'users.list',
  method: 'GET',
  path: '/users',
  summary: 'List users',
  description:
    'An extension of this server. Returns the users of the project in the order of their ids. A user is every ' +
    '`user_id` with a connected account, a session or an execution; users are not created separately. A search ' +
    'in a project with very many users returns what it found within half a second, which can be fewer users than ' +
    '`limit` or none; `next_cursor` continues it.',
  example: { query: { search: 'user-', limit: 20 } },
  query: Type.Object({
    ...PageQuery,
    search: Type.Optional(
      Type.String({
        maxLength: 256,
        description: 'Only users whose id contains this text, in any letter case.',
      }),
    ),
  }),
  reply: Type.Object({
    items: Type.Array(UserSummary, { description: 'Users of this page.' }),
    next_cursor: Nullable(
      Type.String({ description: 'Value of `cursor` for the next page; null on the last page.' }),
    ),
  }),
})

export const readUser = route({
  ...read,
  id: 'users.show',
  method: 'GET',
  path: '/users/:user_id',
  summary: 'Read a user',
  description:
    'An extension of this server. Returns what the project has of a user: numbers of accounts, sessions and ' +
    'executions, and the latest deletion. Lists of accounts, sessions and logs take the user as a filter.',
  example: { params: { user_id: 'user-17' }, needs: 'a user' },
  params,
  reply: Type.Object({
    ...Summary,
    toolkits: Type.Array(Type.String(), { description: 'Toolkits of the connected accounts.' }),
    memories: Type.Integer({ description: 'Toolkits about which agents stored notes.' }),
    recipes: Type.Integer({ description: 'Number of saved recipes.' }),
    deletion: Type.Unsafe<UserDeletion | null>({
      ...Deletion,
      type: ['object', 'null'],
      description: 'The latest deletion of the user; null for none.',
    }),
  }),
  errors: ['User_NotFound'],
})

export const exportUser = route({
  audience: 'project',
  id: 'users.export',
  method: 'POST',
  path: '/users/:user_id/export',
  summary: 'Export everything about a user',
  description:
    'An extension of this server. Returns a page of what the project has of a user as NDJSON text: connected ' +
    'accounts without credentials, sessions, memories, recipes, approvals, sign-ins of MCP clients, and executions ' +
    'with their arguments and results. Append pages to make the file; each page is an entry of the audit log.',
  example: { params: { user_id: 'user-17' }, body: { limit: 1000 } },
  params,
  body: Type.Object({ ...PageQuery }, { description: 'The page.' }),
  reply: Type.Object({
    content: Type.String({ description: 'One JSON object a line; `type` is the kind of the object.' }),
    next_cursor: Nullable(
      Type.String({ description: 'Value of `cursor` for the next page; null on the last page.' }),
    ),
  }),
})

export const deleteUser = route({
  audience: 'project',
  id: 'users.delete',
  method: 'DELETE',
  path: '/users/:user_id',
  summary: 'Delete a user and revoke the access of its accounts',
  description:
    'An extension of this server. Deletes the connected accounts of the user and revokes their access at the ' +
    'providers, deletes sessions with their files, memories and recipes, sign-ins of MCP clients, approvals, and ' +
    'the execution log of the user. It runs in the background and continues after a restart; read the user for ' +
    'its progress. A second request during a deletion returns the running one.',
  example: { params: { user_id: 'user-17' }, needs: 'a user' },
  params,
  status: 202,
  reply: Deletion,
  errors: ['User_NotFound'],
})
