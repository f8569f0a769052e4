import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { searchLogs } from '../../contract/logs/index.ts'
import type { ReplyOf } from '../../contract/route.ts'
import { callApi } from '../api-client/call.ts'
import {
  addGlobalOptions,
  type Finish,
  readGlobalOptions,
  type Options,
} from '../arguments/global-options.ts'
import { EXIT, type Io, painter } from '../io.ts'
import { printResult } from '../output/report.ts'
import { type Column, table } from '../output/table.ts'
import { millisecondsOf } from '../arguments/durations.ts'
import { UsageError } from '../arguments/usage-error.ts'

type Entry = ReplyOf<typeof searchLogs>['logs'][number]

const POLL_MS = 2_000
/**
 * Calls are listed by their start time and appear when they end. Looking back this far finds calls of up to
 * two minutes.
 */
const LOOK_BACK_MS = 120_000
const PAGE = 1_000
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
    const dim = (text: string) => io.stderr.write(`${painter(io, io.stderr)('dim', text)}\n`)
    if (!logs.length) dim('Nothing found.')
    if (next) dim(`${logs.length} shown. Next page: --cursor ${next}`)
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
    const seen = new Map<string, number>()
    const beganAt = Date.now()
    for (;;) {
      const from = Date.now() - LOOK_BACK_MS
      const answer = await callApi(io, connection, searchLogs, version, {
        params: {},
        query: {},
        body: {
          limit: PAGE,
          filters: filtersOf(options),
          time_range: { from, to: Date.now() + LOOK_BACK_MS },
        },
      })
      if (answer.status >= 400) return finish(printResult(io, searchLogs.id, answer, asJson))
      for (const entry of (answer.body as ReplyOf<typeof searchLogs>).logs.toReversed()) {
        const at = Date.parse(entry.timestamp)
        const ended = at + (entry.metrics.duration_ms ?? 0)
        if (seen.has(entry.id) || entry.status === 'started') continue
        seen.set(entry.id, at)
        if (ended >= beganAt - POLL_MS) print(io, entry, asJson)
      }
      for (const [id, at] of seen) if (at < from - LOOK_BACK_MS) seen.delete(id)
      if (performance.now() + POLL_MS > untilMs) return finish(EXIT.ok)
      await wait(POLL_MS)
    }
  })
}

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
