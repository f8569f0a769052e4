import { type Static, Type } from './schema-type.ts'
import { Described, Enum, Nullable, Timestamp } from './common.ts'
import { route } from './route.ts'

// An extension of this server.
const Setting = Type.Object({
  name: Type.String({ description: 'Name of the setting, which is an environment variable.' }),
  value: Nullable(Type.String({ description: 'Value as text; null for a secret, and without a value.' }), {
    description: 'Value as text; null for a secret, and without a value.',
  }),
  is_set: Type.Boolean({
    description: 'Whether the setting differs from its default on purpose: it is set.',
  }),
  is_secret: Type.Boolean({ description: 'Whether the value is never shown.' }),
  description: Type.String({ description: 'What the setting changes.' }),
})

const Check = Type.Object({
  name: Type.String({ description: 'What was checked, such as `database`.' }),
  status: Enum(['ok', 'warn', 'fail'], {
    description: '`warn`: works, but should change before production. `fail`: something does not work.',
  }),
  detail: Type.String({ description: 'What was found.' }),
  fix: Nullable(Type.String({ description: 'The next step; null if nothing is wrong.' }), {
    description: 'The next step; null if nothing is wrong.',
  }),
})

const Job = Type.Object({
  task: Type.String({ description: 'Name of the task.' }),
  due: Type.Integer({ description: 'Jobs that are due and that no process runs.' }),
  running: Type.Integer({ description: 'Jobs that a process runs now.' }),
  later: Type.Integer({ description: 'Jobs that run later, such as the next attempt after a failure.' }),
  failed: Type.Integer({ description: 'Jobs that failed for the last time. They do not run again.' }),
  last_error: Nullable(Type.String({ description: 'First line of the latest error; null without one.' }), {
    description: 'First line of the latest error; null without one.',
  }),
})

export const SystemState = Type.Object(
  {
    version: Type.String({ description: 'Version of the server.' }),
    node_version: Type.String({ description: 'Version of Node.js.' }),
    started_at: Described(Timestamp, 'When the process that returned this response started.'),
    public_url: Type.String({ description: 'URL at which browsers and applications reach the server.' }),
    database: Type.Object(
      {
        version: Type.String({ description: 'Version of PostgreSQL.' }),
        size_bytes: Type.Integer({ description: 'Size of the database on disk.' }),
        latency_ms: Type.Integer({ description: 'Time of one small query, in milliseconds.' }),
      },
      { description: 'The database of the server.' },
    ),
    checks: Type.Array(Check, { description: 'What was checked while this response was made.' }),
    jobs: Type.Array(Job, { description: 'Jobs in the queue, by task.' }),
    waiting_deliveries: Type.Integer({ description: 'Webhook deliveries that are due and not sent yet.' }),
    settings: Type.Array(Setting, {
      description: 'Every setting of the process that returned this response.',
    }),
  },
  { $id: 'SystemState' },
)
export type SystemState = Static<typeof SystemState>

export const readSystem = route({
  id: 'system.read',
  method: 'GET',
  path: '/system',
  summary: 'Read the state of the server',
  description:
    'An extension of this server. Returns version, settings without secrets, checks of the installation, the ' +
    'database and the job queue. `patchbay doctor` checks more on the machine of the server, also while the server ' +
    'does not run.',
  audience: 'organization',
  reply: SystemState,
})
