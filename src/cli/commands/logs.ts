import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { searchLogs, streamLogs } from '../../contract/logs/index.ts'
import type { ReplyOf } from '../../contract/route.ts'
import { type ApiReply, callApi } from '../api-client/call.ts'
import {
  addGlobalOptions,
  type Finish,
  readGlobalOptions,
  type Options,
} from '../arguments/global-options.ts'
import { EXIT, type Io, writeNote } from '../io.ts'
import { printResult } from '../output/report.ts'
import { type Column, table } from '../output/table.ts'
import { millisecondsOf } from '../arguments/durations.ts'
import { UsageError } from '../arguments/usage-error.ts'

type Page = ReplyOf<typeof streamLogs>
type Entry = Page['items'][number]

const POLL_MS = 2_000
/** The server sends executions again that ended shortly before a position. */
const REPEATED_MS = 60_000
const LIMIT_DEFAULT = 20

const COLUMNS: readonly Column[] = [
  { path: 'timestamp', title: 'time' },
  { path: 'id', title: 'log' },
  { path: 'status', title: 'status' },
  { path: 'metadata.tool_slug', title: 'tool' },
  { path: 'metadata.user_id', title: 'user' },
  { path: 'metrics.duration_ms', title: 'ms' },
  { path: 'message', title: 'message', isSecondary: true },
]
/** On a terminal, the id of the log leaves no room for the message. */
const columnsOf = (io: Io, { wide }: Options): readonly Column[] =>
  io.stdout.isTTY && !wide ? COLUMNS.filter(({ path }) => path !== 'id') : COLUMNS

/** Flags, and the log fields that they filter. */
const FILTERS = [
  ['--tool <slug>', 'tool_slug', 'executions of this tool'],
  ['--toolkit <slug>', 'toolkit_slug', 'executions of this toolkit'],
  ['--user <id>', 'user_id', 'executions of this user'],
  ['--account <id>', 'connected_account_id', 'executions with this account'],
  ['--status <status>', 'status', 'executions with this status: success, failed or started'],
  ['--request <id>', 'request_id', 'executions of the call with this request id'],
] as const

/** Adds `patchbay logs list` and `patchbay logs tail`. */
export function addLogCommands(program: Command, io: Io, finish: Finish): void {
  const group = program.commands.find((command) => command.name() === 'logs')
  if (!group) return
  addListCommand(group, io, finish)
  addTailCommand(group, io, finish)
}

function addListCommand(group: Command, io: Io, finish: Finish): void {
  const list = withFilters(
    group
      .command('list')
      .summary('List executions, newest first')
      .description('Lists executions, newest first. `patchbay logs show <id>` prints arguments and result.'),
  )
    .option('--since <time>', 'started within this time, such as 30m, 12h or 7d')
    .option('--limit <n>', `number of executions (default: ${LIMIT_DEFAULT})`)
    .option('--cursor <cursor>', 'cursor of the previous page')
    .option('--wide', 'also show the ids of the logs on a terminal')
    .addHelpText('after', '\nExample:\n  patchbay logs list --status failed --since 24h')
  addGlobalOptions(list).action(async () => {
    const { connection, version, asJson } = readGlobalOptions(list, io)
    const options = list.opts<Options>()
    const since =
      options['since'] === undefined
        ? undefined
        : Date.now() - millisecondsOf('--since', String(options['since']))
    const answer = await callApi(io, connection, searchLogs, version, {
      params: {},
      query: {},
      body: {
        limit: limitOf(options),
        filters: filtersOf(options),
        ...(options['cursor'] ? { cursor: options['cursor'] } : {}),
        ...(since === undefined ? {} : { time_range: { from: since, to: Date.now() } }),
      },
    })
    if (answer.status >= 400 || asJson) return finish(printResult(io, searchLogs.id, answer, asJson))
    const { logs, next_cursor: next } = answer.body as ReplyOf<typeof searchLogs>
    if (logs.length) io.stdout.write(table(io, columnsOf(io, options), logs))
    if (!logs.length) writeNote(io, 'Nothing found.')
    if (next) writeNote(io, `${logs.length} shown. Next page: --cursor ${next}`)
    finish(EXIT.ok)
  })
}

function addTailCommand(group: Command, io: Io, finish: Finish): void {
  const tail = withFilters(
    group
      .command('tail')
      .summary('Print executions as they end')
      .description('Prints executions as they end, until you stop it.'),
  )
    .option('--for <time>', 'stop after this time, such as 30s or 10m')
    .addHelpText('after', '\nExample:\n  patchbay logs tail --user user-17')
  addGlobalOptions(tail).action(async () => {
    const { connection, version, asJson } = readGlobalOptions(tail, io)
    const options = tail.opts<Options>()
    const untilMs =
      options['for'] === undefined
        ? Infinity
        : performance.now() + millisecondsOf('--for', String(options['for']))
    const query = Object.fromEntries(filtersOf(options).map(({ field, value }) => [field, value]))
    const read = (position: string | undefined) =>
      callApi(io, connection, streamLogs, version, {
        params: {},
        query: { ...query, ...(position !== undefined && { last_event_id: position }) },
        body: undefined,
      })
    let answer = await read(undefined)
    const printed = new PrintedLogs(answer)
    while (answer.status < 400) {
      const { last_event_id: position } = answer.body as Page
      answer = await read(position)
      if (answer.status >= 400) break
      const { items, last_event_id: next } = answer.body as Page
      for (const entry of items) if (printed.isNew(entry)) print(io, entry, asJson)
      // A position with several parts is within the log: there is more.
      if (next.includes('.')) continue
      printed.forgetBefore(answer)
      if (performance.now() + POLL_MS > untilMs) return finish(EXIT.ok)
      await wait(POLL_MS)
    }
    finish(printResult(io, streamLogs.id, answer, asJson))
  })
}

/** The executions that were printed: the server sends those of the last seconds again. */
class PrintedLogs {
  /** When each ended, by id. */
  readonly #ends = new Map<string, number>()
  readonly #start: number

  /** @param first the first page, which has the time of the server */
  constructor(first: ApiReply) {
    this.#start = millisecondsAt(first) - POLL_MS
  }

  /** Whether an execution has ended since the start, and was not printed. Counts it as printed. */
  isNew({ id, status, timestamp, metrics }: Entry): boolean {
    const end = Date.parse(timestamp) + (metrics.duration_ms ?? 0)
    if (status === 'started' || end < this.#start || this.#ends.has(id)) return false
    this.#ends.set(id, end)
    return true
  }

  /** Forgets what the server does not send again after a page. */
  forgetBefore(page: ApiReply): void {
    const oldest = millisecondsAt(page) - REPEATED_MS
    for (const [id, end] of this.#ends) if (end < oldest) this.#ends.delete(id)
  }
}

const millisecondsAt = ({ status, body }: ApiReply): number =>
  status < 400 ? Number((body as Page).last_event_id.split('.')[0]) / 1_000 : 0

function withFilters(command: Command): Command {
  for (const [flag, , description] of FILTERS) command.option(flag, description)
  return command.helpOption('-h, --help', 'print this help')
}

const isEqual = (field: string, value: string) => ({ field, operator: '==', value })

const filtersOf = (options: Options) =>
  FILTERS.flatMap(([flag, field]) => {
    const value = options[/--(\w+)/.exec(flag)?.[1] ?? '']
    return typeof value === 'string' ? [isEqual(field, value)] : []
  })

function print(io: Io, entry: Entry, asJson: boolean): void {
  if (asJson) io.stdout.write(`${JSON.stringify(entry)}\n`)
  else io.stdout.write(table(io, COLUMNS, [entry]).split('\n').slice(1).join('\n'))
}

function limitOf({ limit }: Options): number {
  const number = limit === undefined ? LIMIT_DEFAULT : Number(limit)
  if (!(Number.isInteger(number) && number >= 1))
    throw new UsageError(
      `--limit takes a whole number of at least 1, not "${String(limit)}".`,
      `Omit it for ${LIMIT_DEFAULT}.`,
    )
  return number
}
