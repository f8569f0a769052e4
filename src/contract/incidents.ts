import { type Static, Type } from 'typebox'
import { Enum, Id, Nullable, PageMeta, PageQuery, Slug, Timestamp, UserId } from './common.ts'
import { route } from './route.ts'

// Our own addition to the API: what an operator does after credentials may have leaked.
const Scope = {
  project_id: Nullable(Type.String()),
  toolkit_slug: Nullable(Type.String()),
  user_id: Nullable(Type.String()),
}

/** An account that was frozen: what it could reach, and how far the provider is with ending it. */
const FrozenAccount = Type.Object({
  connected_account_id: Type.String(),
  project_id: Type.String(),
  toolkit: Type.Object({ slug: Type.String() }),
  user_id: Type.String(),
  requested_scopes: Type.Array(Type.String()),
  tools_count: Type.Integer({ description: 'Tools that could be executed with it.' }),
  revocation: Enum(['pending', 'done', 'failed', 'unsupported']),
  revoked_tokens: Type.Array(Type.String()),
  last_error: Nullable(Type.String()),
})
export const Incident = Type.Object(
  {
    id: Type.String(),
    ...Scope,
    reason: Nullable(Type.String()),
    created_at: Timestamp,
    frozen: Type.Integer({ description: 'Accounts that were ACTIVE and are not any more.' }),
    revocations: Type.Object({
      pending: Type.Integer(),
      done: Type.Integer(),
      failed: Type.Integer(),
      unsupported: Type.Integer(),
    }),
  },
  { $id: 'Incident' },
)
export type Incident = Static<typeof Incident>

export const createIncident = route({
  id: 'incidents.create',
  method: 'POST',
  path: '/org/incidents',
  audience: 'organization',
  summary:
    'Freeze every ACTIVE account of a project, a toolkit or a user at once, and end their access at the providers',
  body: Type.Object(
    {
      project_id: Type.Optional(Id('proj', 'pr')),
      toolkit_slug: Type.Optional(Slug),
      user_id: Type.Optional(UserId),
      reason: Type.Optional(
        Type.String({ maxLength: 500, description: 'Shown in the status_reason of the accounts.' }),
      ),
    },
    { description: 'At least one of project_id, toolkit_slug and user_id; several narrow each other.' },
  ),
  status: 201,
  reply: Incident,
  errors: ['Project_NotFound'],
})
export const readIncident = route({
  id: 'incidents.read',
  method: 'GET',
  path: '/org/incidents/:incident_id',
  summary: 'How far an incident is, and which accounts it froze',
  audience: 'organization',
  params: Type.Object({ incident_id: Id('inc') }),
  query: Type.Object(PageQuery),
  reply: Type.Object({ ...Incident.properties, items: Type.Array(FrozenAccount), ...PageMeta }),
  errors: ['Incident_NotFound'],
})
