import { listen, type Listener } from './db/notifications.ts'
import { type Db, join, Sql, sql } from './db/sql.ts'
import { isObject, type JsonObject } from './json-object.ts'

/** Everything that a process reports to the other processes. */
export type Change =
  /** API keys, or projects and their settings: processes keep both in memory. */
  | { readonly kind: 'principals_changed' }
  /** The data keys of a project were replaced or destroyed: processes keep them in memory. */
  | { readonly kind: 'data_keys_changed'; readonly projectId: string }
  | { readonly kind: 'policies_changed' }
  | { readonly kind: 'budgets_changed' }
  /** The database reports it. `userId` is null if any account or auth config of the project may have changed. */
  | { readonly kind: 'accounts_changed'; readonly projectId: string; readonly userId: string | null }
  /** The database reports it. */
  | { readonly kind: 'mcp_servers_changed'; readonly projectId: string }
  /** `projectId` is null for the toolkits of the whole installation. */
  | { readonly kind: 'toolkits_changed'; readonly projectId: string | null }
  | { readonly kind: 'mcp_call_cancelled'; readonly callId: string }
  /**
   * An application accepts no calls of `key` for `milliseconds`. `processId` is the process that reports it.
   */
  | {
      readonly kind: 'cooldown_started'
      readonly processId: string
      readonly key: string
      readonly milliseconds: number
    }
  /** The process `owner` runs the code of a session from now on. */
  | { readonly kind: 'sandbox_moved'; readonly sessionId: string; readonly owner: string }
  /** The process `owner` shall run code for another process. */
  | {
      readonly kind: 'sandbox_run_waiting'
      readonly runId: string
      readonly projectId: string
      readonly owner: string
    }
  | { readonly kind: 'events_published'; readonly projectId: string }
  /** A process has an open stream of the executions of the project. It repeats this while the stream is open. */
  | { readonly kind: 'executions_followed'; readonly projectId: string }
  /** Executions ended, as messages of the event stream describe them. `missed` more are not in any list. */
  | {
      readonly kind: 'executions_ended'
      readonly projectId: string
      readonly executions: readonly JsonObject[]
      readonly missed: number
    }
  | { readonly kind: 'deliveries_due' }

type Kind = Change['kind']

/**
 * The channel of each kind. Events and deliveries are frequent, so only processes with open event streams, or
 * that deliver, listen to them.
 */
const CHANNELS = {
  principals_changed: 'changes',
  data_keys_changed: 'changes',
  policies_changed: 'changes',
  budgets_changed: 'changes',
  accounts_changed: 'changes',
  mcp_servers_changed: 'changes',
  toolkits_changed: 'changes',
  mcp_call_cancelled: 'changes',
  cooldown_started: 'changes',
  sandbox_moved: 'changes',
  sandbox_run_waiting: 'changes',
  executions_followed: 'changes',
  events_published: 'events',
  executions_ended: 'events',
  deliveries_due: 'deliveries',
} as const satisfies Record<Kind, string>

export type Channel = (typeof CHANNELS)[Kind]
type KindOf<C extends Channel> = { [K in Kind]: (typeof CHANNELS)[K] extends C ? K : never }[Kind]
/** The changes that a channel carries. */
export type ChangeOn<C extends Channel> = Extract<Change, { kind: KindOf<C> }>

type FieldType = 'string' | 'number' | 'string or null' | 'objects'
/** The fields of each kind, to check what other processes send. */
const FIELDS: {
  readonly [K in Kind]: Readonly<Record<Exclude<keyof Extract<Change, { kind: K }>, 'kind'>, FieldType>>
} = {
  principals_changed: {},
  data_keys_changed: { projectId: 'string' },
  policies_changed: {},
  budgets_changed: {},
  accounts_changed: { projectId: 'string', userId: 'string or null' },
  mcp_servers_changed: { projectId: 'string' },
  toolkits_changed: { projectId: 'string or null' },
  mcp_call_cancelled: { callId: 'string' },
  cooldown_started: { processId: 'string', key: 'string', milliseconds: 'number' },
  sandbox_moved: { sessionId: 'string', owner: 'string' },
  sandbox_run_waiting: { runId: 'string', projectId: 'string', owner: 'string' },
  events_published: { projectId: 'string' },
  executions_followed: { projectId: 'string' },
  executions_ended: { projectId: 'string', executions: 'objects', missed: 'number' },
  deliveries_due: {},
}

/** PostgreSQL rejects a payload of 8,000 bytes or more. */
export const PAYLOAD_BYTES_MAX = 7_999

/** A change of which fields may be SQL expressions, such as columns. */
type ChangeExpression = {
  [K in Kind]: {
    [F in keyof Extract<Change, { kind: K }>]:
      | Extract<Change, { kind: K }>[F]
      | (F extends 'kind' ? never : Sql)
  }
}[Kind]

/**
 * An SQL expression that reports a change when the transaction commits. Use it in the statement that makes
 * the change, as in `update … returning id, ${notification({ kind: 'policies_changed' })}`: it is evaluated
 * once for each row, and PostgreSQL sends equal messages of a transaction once.
 */
export function notification(change: ChangeExpression): Sql {
  const fields = Object.entries(change)
  if (fields.some(([, value]) => value instanceof Sql)) {
    const pairs = fields.map(
      ([name, value]) => sql`${name}::text, ${value instanceof Sql ? value : sql`${value}::text`}`,
    )
    return sql`pg_notify(${CHANNELS[change.kind]}, json_build_object(${join(pairs)})::text)`
  }
  return sql`pg_notify(${CHANNELS[change.kind]}, ${payloadOf(change)})`
}

function payloadOf(change: ChangeExpression): string {
  const payload = JSON.stringify(change)
  if (Buffer.byteLength(payload) > PAYLOAD_BYTES_MAX)
    throw new Error(`A change of kind ${change.kind} is larger than ${PAYLOAD_BYTES_MAX} bytes.`)
  return payload
}

/** Reports a change to all processes, this one included, when `tx` commits. */
export async function publishChange(tx: Db, change: Change): Promise<void> {
  await tx.run(sql`select ${notification(change)}`)
}

/** Reports any number of changes in one statement. */
export async function publishChanges(tx: Pick<Db, 'run'>, changes: readonly Change[]): Promise<void> {
  const channels = changes.map(({ kind }) => CHANNELS[kind])
  await tx.run(sql`
    select pg_notify(n.channel, n.payload)
    from unnest(${channels}::text[], ${changes.map(payloadOf)}::text[]) as n (channel, payload)`)
}

/**
 * Parses a payload. Returns undefined for one that this version does not know, such as that of a newer
 * process.
 */
export function parseChange(payload: string): Change | undefined {
  const message = parseObject(payload)
  const kind = message?.['kind']
  if (!message || typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind)) return undefined
  const fields: [string, FieldType][] = Object.entries(FIELDS[kind as Kind])
  return fields.every(([name, type]) => TYPE_CHECKS[type](message[name]))
    ? (message as unknown as Change)
    : undefined
}

const TYPE_CHECKS: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  'string or null': (value) => value === null || typeof value === 'string',
  objects: (value) => Array.isArray(value) && value.every(isObject),
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Changes that all processes report, by channel. */
export interface ChangeBus {
  /**
   * Listens to a channel until it is closed. `onMissed` is called when changes may have been missed: at the
   * start, when the connection is lost, when it is back, and when a newer process reports a change that this
   * one does not know. A subscriber then has to assume that everything changed.
   */
  subscribe<C extends Channel>(
    channel: C,
    onChange: (change: ChangeOn<C>) => void,
    onMissed: () => void,
  ): Listener
}

export const createChangeBus = (databaseUrl: string): ChangeBus => ({
  subscribe<C extends Channel>(channel: C, onChange: (change: ChangeOn<C>) => void, onMissed: () => void) {
    return listen(databaseUrl, channel, {
      onMessage(payload) {
        const change = parseChange(payload)
        if (change && CHANNELS[change.kind] === channel) onChange(change as ChangeOn<C>)
        else onMissed()
      },
      onMissed,
    })
  },
})
