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
/** Calls are listed by when they began, and appear when they end: a call of a minute is found by looking back this far. */
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
/** Flags, and the fields of the log that they look for. */
const FILTERS = [
  ['--tool <slug>', 'tool_slug', 'executions of this tool'],
  ['--toolkit <slug>', 'toolkit_slug', 'of this toolkit'],
  ['--user <id>', 'user_id', 'of this user'],
  ['--account <id>', 'connected_account_id', 'with this account'],
  ['--status <status>', 'status', 'success, failed or started'],
  ['--request <id>', 'request_id', 'of the call with this request id'],
] as const

/** `patchbay logs list` and `logs tail`, beside the operations of the API. */
export function addLogCommands(program: Command, io: Io, finish: Finish): void {
  const group = program.commands.find((command) => command.name() === 'logs')
  if (!group) return
  const list = withFilters(
    group
      .command('list')
      .summary('List executions, newest first')
      .description(
        'Lists executions, newest first. What they were given and gave: `patchbay logs show <id>`.',
      ),
  )
    .option('--since <time>', 'begun within this time, as 30m, 12h or 7d')
    .option('--limit <n>', `how many, default ${LIMIT_DEFAULT}`)
    .option('--cursor <cursor>', 'where the list before ended')
    .addHelpText('after', '\nExample:\n  patchbay logs list --status failed --since 24h')
  addGlobalOptions(list).action(async () => {
    const { connection, version, asJson } = readGlobalOptions(list, io)
    const given = list.opts<Options>()
    const since =
      given['since'] === undefined
        ? undefined
        : Date.now() - millisecondsOf('--since', String(given['since']))
    const answer = await callApi(io, connection, searchLogs, version, {
      params: {},
      query: {},
      body: {
        limit: limitOf(given),
        filters: filtersOf(given),
        ...(given['cursor'] ? { cursor: given['cursor'] } : {}),
        ...(since === undefined ? {} : { time_range: { from: since, to: Date.now() } }),
      },
    })
    if (answer.status >= 400 || asJson) return finish(printResult(io, searchLogs.id, answer, asJson))
    const { logs, next_cursor: next } = answer.body as ReplyOf<typeof searchLogs>
    if (logs.length) io.stdout.write(table(io, COLUMNS, logs))
    const dim = (text: string) => io.stderr.write(`${painter(io, io.stderr)('dim', text)}\n`)
    if (!logs.length) dim('Nothing found.')
    if (next) dim(`${logs.length} shown. The next page: --cursor ${next}`)
    finish(EXIT.ok)
  })

  const tail = withFilters(
    group
      .command('tail')
      .summary('Print executions as they end')
      .description('Prints executions as they end, until it is stopped.'),
  )
    .option('--for <time>', 'stop after this time, as 30s or 10m')
    .addHelpText('after', '\nExample:\n  patchbay logs tail --user user-17')
  addGlobalOptions(tail).action(async () => {
    const { connection, version, asJson } = readGlobalOptions(tail, io)
    const given = tail.opts<Options>()
    const untilMs =
      given['for'] === undefined
        ? Infinity
        : performance.now() + millisecondsOf('--for', String(given['for']))
    const seen = new Map<string, number>()
    const beganAt = Date.now()
    for (;;) {
      const from = Date.now() - LOOK_BACK_MS
      const answer = await callApi(io, connection, searchLogs, version, {
        params: {},
        query: {},
        body: { limit: PAGE, filters: filtersOf(given), time_range: { from, to: Date.now() + LOOK_BACK_MS } },
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

const filtersOf = (given: Options) =>
  FILTERS.flatMap(([flag, field]) => {
    const value = given[/--(\w+)/.exec(flag)?.[1] ?? '']
    return typeof value === 'string' ? [{ field, operator: '==', value }] : []
  })

function print(io: Io, entry: Entry, asJson: boolean): void {
  if (asJson) io.stdout.write(`${JSON.stringify(entry)}\n`)
  else io.stdout.write(table(io, COLUMNS, [entry]).split('\n').slice(1).join('\n'))
}

function limitOf({ limit }: Options): number {
  const number = limit === undefined ? LIMIT_DEFAULT : Number(limit)
  if (!(Number.isInteger(number) && number >= 1))
    throw new UsageError(
      `--limit takes a whole number from 1, not "${String(limit)}".`,
      `Leave it out for ${LIMIT_DEFAULT}.`,
    )
  return number
}
