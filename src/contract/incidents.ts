import { type Static, Type } from './schema-type.ts'
import {
  Described,
  Enum,
  exampleId,
  Id,
  Nullable,
  PageMeta,
  PageOf,
  PageQuery,
  Slug,
  Timestamp,
  UserId,
} from './common.ts'
import { route } from './route.ts'

// An addition of this server for administrators, for the case that credentials have leaked.
const Scope = {
  project_id: Nullable(Type.String({ description: 'Id of the project, `proj_…`; null for every project.' })),
  toolkit_slug: Nullable(Type.String({ description: 'Slug of the toolkit; null for every toolkit.' })),
  user_id: Nullable(Type.String({ description: 'Id of the user; null for every user.' })),
}

/** Kinds of access besides accounts that an incident can end. */
export const REVOCABLE_KINDS = ['keys', 'mcp_grants', 'sessions', 'webhook_subscriptions'] as const
export type RevocableKind = (typeof REVOCABLE_KINDS)[number]

/** A frozen account, with the access that it had and the progress of the revocation. */
const FrozenAccount = Type.Object({
  connected_account_id: Type.String({ description: 'Id of the connected account, `ca_…`.' }),
  project_id: Type.String({ description: 'Id of the project, `proj_…`.' }),
  toolkit: Type.Object(
    { slug: Type.String({ description: 'Slug of the toolkit.' }) },
    { description: 'Toolkit of the account.' },
  ),
  user_id: Type.String({ description: 'Id of the user that the account belongs to.' }),
  requested_scopes: Type.Array(Type.String(), { description: 'OAuth scopes of the account.' }),
  tools_count: Type.Integer({ description: 'Number of tools that could be executed with the account.' }),
  revocation: Enum(['pending', 'done', 'failed', 'unsupported'], {
    description: 'Progress of the revocation at the provider. `unsupported`: the provider has none.',
  }),
  revoked_tokens: Type.Array(Type.String(), { description: 'Kinds of tokens that were revoked.' }),
  last_error: Nullable(Type.String({ description: 'Error of the last attempt to revoke; null for none.' })),
})
export const Incident = Type.Object(
  {
    id: Type.String({ description: 'Id of the incident, `inc_…`.' }),
    ...Scope,
    reason: Nullable(Type.String({ description: 'Reason that was given; null for none.' })),
    created_at: Described(Timestamp, 'When the incident was created.'),
    frozen: Type.Integer({ description: 'Number of accounts that were ACTIVE and have been frozen.' }),
    revocations: Type.Object(
      {
        pending: Type.Integer({ description: 'Revocations that are still running.' }),
        done: Type.Integer({ description: 'Revocations that succeeded.' }),
        failed: Type.Integer({ description: 'Revocations that failed for good.' }),
        unsupported: Type.Integer({ description: 'Accounts whose provider has no revocation.' }),
      },
      { description: 'Number of accounts by progress of the revocation.' },
    ),
    revoked: Type.Object(
      {
        keys: Type.Integer({ description: 'Number of project keys that were revoked.' }),
        mcp_grants: Type.Integer({ description: 'Number of sign-ins of MCP clients that were revoked.' }),
        sessions: Type.Integer({ description: 'Number of sessions that were deleted.' }),
        webhook_subscriptions: Type.Integer({
          description: 'Number of webhook subscriptions that were disabled.',
        }),
      },
      { description: 'What was revoked besides accounts, as `revoke` of the request selects it.' },
    ),
  },
  { $id: 'Incident' },
)
export type Incident = Static<typeof Incident>

export const createIncident = route({
  id: 'incidents.create',
  permission: { area: 'incidents', level: 'write' },
  method: 'POST',
  path: '/org/incidents',
  audience: 'organization',
  summary: 'Freeze accounts and revoke their access',
  description:
    'Freezes every matching ACTIVE account at once and revokes its tokens at the provider in the ' +
    'background. Use it after credentials may have leaked. At least one of `project_id`, ' +
    '`toolkit_slug` and `user_id` is required; several narrow the selection. Frozen accounts need to ' +
    'be connected again. With `revoke`, keys of the project, sign-ins of MCP clients, sessions and webhook ' +
    'subscriptions end in the same transaction.',
  example: { body: { toolkit_slug: 'github', user_id: 'user-17', reason: 'A laptop was stolen.' } },
  body: Type.Object(
    {
      project_id: Type.Optional(
        Described(Id('proj', 'pr'), 'Freeze the accounts of this project only, `proj_…`.'),
      ),
      toolkit_slug: Type.Optional(Described(Slug, 'Freeze the accounts of this toolkit only.')),
      user_id: Type.Optional(Described(UserId, 'Freeze the accounts of this user only.')),
      reason: Type.Optional(
        Type.String({
          maxLength: 500,
          description: 'Reason, also shown in `status_reason` of the accounts. At most 500 characters.',
        }),
      ),
      revoke: Type.Optional(
        Type.Array(Enum(REVOCABLE_KINDS), {
          maxItems: REVOCABLE_KINDS.length,
          uniqueItems: true,
          description:
            'What to revoke besides accounts. `keys` (revoked for good) and `webhook_subscriptions` (disabled ' +
            'until they are changed or tested) belong to a project: they need `project_id`, without ' +
            '`user_id`. `mcp_grants` and `sessions` belong to users: they need `project_id` or `user_id`. ' +
            'None of them has a toolkit, so they cannot be combined with `toolkit_slug`.',
        }),
      ),
    },
    { description: 'At least one of project_id, toolkit_slug and user_id; several narrow each other.' },
  ),
  status: 201,
  reply: Incident,
  errors: ['Project_NotFound'],
})
export const listIncidents = route({
  id: 'incidents.list',
  permission: { area: 'incidents', level: 'read' },
  method: 'GET',
  path: '/org/incidents',
  summary: 'List incidents, newest first',
  description:
    'Returns a page of the incidents of the organization, newest first, with the progress of their ' +
    'revocations. `incidents.read` returns the accounts of one.',
  example: { query: { limit: 20 } },
  audience: 'organization',
  query: Type.Object(PageQuery),
  reply: PageOf(Incident),
})
export const readIncident = route({
  id: 'incidents.read',
  permission: { area: 'incidents', level: 'read' },
  method: 'GET',
  path: '/org/incidents/:incident_id',
  summary: 'Read an incident and its accounts',
  description: 'Returns the progress of an incident and a page of the accounts that it froze.',
  example: { params: { incident_id: exampleId('inc') }, needs: 'an incident' },
  audience: 'organization',
  params: Type.Object({ incident_id: Described(Id('inc'), 'Id of the incident, `inc_…`.') }),
  query: Type.Object(PageQuery),
  reply: Type.Object({
    ...Incident.properties,
    items: Type.Array(FrozenAccount, { description: 'Frozen accounts of this page.' }),
    ...PageMeta,
  }),
  errors: ['Incident_NotFound'],
})
