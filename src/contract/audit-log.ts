import { type Static, Type } from './schema-type.ts'
import { Described, Enum, exampleId, Id, Nullable, PageMeta, PageOf, PageQuery, Timestamp } from './common.ts'
import { route } from './route.ts'

// An addition of this server.
const OUTCOMES = ['success', 'failure', 'unknown'] as const

const Fields = (description: string) => Nullable(Type.Record(Type.String(), Type.Unknown()), { description })

const AuditEntry = Type.Object(
  {
    id: Type.String({ description: 'Id of the entry, `aud_…`.' }),
    time: Described(Timestamp, 'When the call began.'),
    organization_id: Type.String({ description: 'Id of the organization, `org_…`.' }),
    project_id: Nullable(
      Type.String({
        description: 'Id of the project, `proj_…`; null for a call with a key of the organization.',
      }),
    ),
    actor: Type.Object(
      {
        type: Enum(['api_key', 'member', 'user', 'system'], { description: 'Kind of the caller.' }),
        id: Nullable(
          Type.String({ description: 'Id of the API key, the member or the user; null for the system.' }),
        ),
        name: Nullable(
          Type.String({
            description:
              'Present name of the API key or the member; null for others, and for a deleted member.',
          }),
        ),
      },
      { description: 'Who did it.' },
    ),
    action: Type.String({ description: 'Id of the operation, such as `authConfigs.update`.' }),
    object: Type.Object(
      {
        type: Type.String({ description: 'Type of the object, such as `auth_config`.' }),
        id: Nullable(
          Type.String({ description: 'Id of the object; null if the call is about no single object.' }),
        ),
      },
      { description: 'What it was done to.' },
    ),
    outcome: Enum(OUTCOMES, {
      description: 'How the call ended. `unknown`: the server was stopped during the call.',
    }),
    status: Nullable(Type.Integer({ description: 'HTTP status of the response; null if there was none.' })),
    error: Nullable(Type.String({ description: 'Slug of the error; null on success.' })),
    before: Fields('Changed fields with their earlier values, without secrets; null for a new object.'),
    after: Fields('Changed fields with their new values, without secrets; null for a deleted object.'),
    source_ip: Nullable(Type.String({ description: 'IP address of the caller.' })),
    user_agent: Nullable(Type.String({ description: 'The `User-Agent` of the caller.' })),
    request_id: Nullable(Type.String({ description: 'Value of `x-request-id` of the response.' })),
    chain: Type.String({ description: 'Id of the project or organization whose chain contains the entry.' }),
    seq: Type.Integer({ description: 'Number of the entry in its chain, from 1.' }),
    hash: Type.String({
      description:
        'SHA-256, as hex, of the hash of the entry before, `seq` as 8 bytes (big endian), and the JSON text of the ' +
        'entry as exports contain it.',
    }),
  },
  { $id: 'AuditEntry' },
)

const timeBound = (description: string) =>
  Type.Optional(
    Type.String({ format: 'date-time', maxLength: 40, description, examples: ['2026-02-03T09:12:44.120Z'] }),
  )
const text = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 256, description, examples: [example] }))

const Filters = {
  action: text('Only this operation.', 'authConfigs.update'),
  actor_id: text('Only calls of this API key, member or user.', exampleId('key')),
  object_type: text('Only objects of this type.', 'auth_config'),
  object_id: text('Only this object.', exampleId('ac')),
  outcome: Type.Optional(Enum(OUTCOMES, { description: 'Only calls that ended this way.' })),
  from: timeBound('Only entries from this time on.'),
  to: timeBound('Only entries before this time.'),
}
const ProjectFilter = {
  project_id: Type.Optional(Described(Id('proj', 'pr'), 'Only entries of this project, `proj_…`.')),
  scope: Type.Optional(
    Enum(['all', 'organization'], {
      description:
        '`organization`: only entries of no project, such as those about members, projects and keys of the ' +
        'organization. Default: `all`.',
    }),
  ),
}
const Format = {
  format: Type.Optional(
    Enum(['ndjson', 'csv'], {
      description:
        '`ndjson` (default): one JSON object per line, with the text from which the hash is computed. `csv`: RFC ' +
        '4180, with a header on the first page.',
    }),
  ),
}
const AuditQuery = Type.Object({ ...PageQuery, ...Filters })
export type AuditQuery = Static<typeof AuditQuery>
const AuditExportQuery = Type.Object({ ...PageQuery, ...Filters, ...Format })
export type AuditExportQuery = Static<typeof AuditExportQuery>

const ExportPage = Type.Object({
  format: Enum(['ndjson', 'csv'], { description: 'Format of `content`.' }),
  content: Type.String({
    description: 'The entries of this page, newest first. Append pages to make the file.',
  }),
  ...PageMeta,
})

const Verification = Type.Object({
  valid: Type.Boolean({ description: 'Whether every chain is complete and unchanged.' }),
  chains: Type.Array(
    Type.Object({
      chain: Type.String({ description: 'Id of the project or organization.' }),
      entries: Type.Integer({ description: 'Number of entries that were checked.' }),
      head: Type.Object(
        {
          seq: Type.Integer({ description: 'Number of the newest entry.' }),
          hash: Type.String({ description: 'Its hash, as hex.' }),
        },
        {
          description: 'The newest entry. Store a copy elsewhere to detect that a whole chain was replaced.',
        },
      ),
      problem: Nullable(
        Type.Object({
          chain: Type.String({ description: 'Id of the chain.' }),
          seq: Type.Integer({ description: 'Number of the entry.' }),
          problem: Enum(['entry_missing', 'entry_changed', 'columns_changed', 'head_changed'], {
            description:
              '`columns_changed`: the columns for filters differ from the entry. `head_changed`: the end of the ' +
              'chain differs from its newest entry.',
          }),
        }),
        { description: 'The first problem; null if there is none.' },
      ),
    }),
    { description: 'The chains, at most one per project and one of the organization.' },
  ),
})

const permission = { area: 'audit_log', level: 'read' } as const
const LIST =
  'Returns a page of entries, newest first. Every management call, every read of a secret in clear and every export ' +
  'has one entry, with its caller and its changes. Executions of tools are in the logs.'

export const listAuditLog = route({
  id: 'audit.list',
  method: 'GET',
  path: '/audit_log',
  audience: 'project',
  permission,
  summary: 'List the audit log of the project',
  description: LIST,
  query: AuditQuery,
  reply: PageOf(AuditEntry),
})
export const listOrganizationAuditLog = route({
  id: 'audit.listOrganization',
  permission: { area: 'audit_log', level: 'read' },
  method: 'GET',
  path: '/org/audit_log',
  audience: 'organization',
  summary: 'List the audit log of the organization',
  description: `${LIST} Entries of all projects are included.`,
  query: Type.Object({ ...AuditQuery.properties, ...ProjectFilter }),
  reply: PageOf(AuditEntry),
})
export const exportAuditLog = route({
  id: 'audit.export',
  method: 'GET',
  path: '/audit_log/export',
  audience: 'project',
  permission,
  audit: true,
  summary: 'Export the audit log of the project',
  description:
    'Returns a page of entries as NDJSON or CSV text. Each page that is exported is an entry of the log.',
  query: AuditExportQuery,
  reply: ExportPage,
})
export const exportOrganizationAuditLog = route({
  id: 'audit.exportOrganization',
  permission: { area: 'audit_log', level: 'read' },
  method: 'GET',
  path: '/org/audit_log/export',
  audience: 'organization',
  audit: true,
  summary: 'Export the audit log of the organization',
  description:
    'Returns a page of entries as NDJSON or CSV text. Each page that is exported is an entry of the log.',
  query: Type.Object({ ...AuditExportQuery.properties, ...ProjectFilter }),
  reply: ExportPage,
})
const VERIFY =
  'Computes all hashes again and compares them with the stored ones: an entry that was changed, removed or inserted ' +
  'is reported. Takes about a second per 50,000 entries.'
export const verifyAuditLog = route({
  id: 'audit.verify',
  method: 'GET',
  path: '/audit_log/verify',
  audience: 'project',
  permission,
  summary: 'Verify the audit log of the project',
  description: VERIFY,
  reply: Verification,
})
export const verifyOrganizationAuditLog = route({
  id: 'audit.verifyOrganization',
  permission: { area: 'audit_log', level: 'read' },
  method: 'GET',
  path: '/org/audit_log/verify',
  audience: 'organization',
  summary: 'Verify the audit log of the organization',
  description: `${VERIFY} The chains of all projects are included.`,
  reply: Verification,
})
