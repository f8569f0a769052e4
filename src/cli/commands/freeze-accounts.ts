import { createInterface } from 'node:readline/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { createIncident, readIncident, REVOCABLE_KINDS } from '../../contract/incidents.ts'
import type { ReplyOf } from '../../contract/route.ts'
import { callApi, CallError } from '../api-client/call.ts'
import {
  addGlobalOptions,
  type Finish,
  readGlobalOptions,
  type Options,
} from '../arguments/global-options.ts'
import { HEADINGS } from '../help/groups.ts'
import { EXIT, type Io, writeNote } from '../io.ts'
import { printResult } from '../output/report.ts'
import { printJson } from '../output/reply.ts'
import { type Column, table } from '../output/table.ts'
import { UsageError } from '../arguments/usage-error.ts'

type Report = ReplyOf<typeof readIncident>
type Frozen = Report['items'][number]

const POLL_MS = 500
const WAIT_DEFAULT_S = 60
const PAGE = 1_000
/** The most pages that are read. */
const PAGES_MAX = 1_000

const COLUMNS: readonly Column[] = [
  { path: 'connected_account_id', title: 'account' },
  { path: 'toolkit.slug', title: 'toolkit' },
  { path: 'user_id', title: 'user' },
  { path: 'tools_count', title: 'tools' },
  { path: 'revocation', title: 'at the provider' },
  { path: 'requested_scopes', title: 'scopes', isSecondary: true },
  { path: 'last_error', title: 'why not', isSecondary: true },
]

/**
 * Adds `patchbay panic`: freezes accounts immediately, revokes their access at the providers, and lists what
 * must be revoked by hand.
 */
export function addFreezeCommand(program: Command, io: Io, finish: Finish): void {
  const command = program
    .command('panic')
    .helpGroup(HEADINGS.server)
    .helpOption('-h, --help', 'print this help')
    .summary('Freeze accounts immediately, and revoke their access at the providers')
    .description(
      'Freezes every ACTIVE account of a project, a toolkit or a user on all replicas immediately, and ' +
        'revokes its access at the provider. If you use several options, only accounts that match all of ' +
        'them are frozen.',
    )
    .option('--project <id>', 'accounts of this project')
    .option('--toolkit <slug>', 'accounts of this toolkit')
    .option('--user <id>', 'accounts of this user')
    .option('--revoke <kinds>', `also revoke, separated by commas: ${REVOCABLE_KINDS.join(', ')}`)
    .option('--reason <text>', 'reason, shown with the accounts')
    .option('--yes', 'do not ask for confirmation')
    .option('--wait <seconds>', `how long to wait for the providers (default: ${WAIT_DEFAULT_S})`)
    .addHelpText(
      'after',
      '\nExit code 0: all access was revoked. Exit code 6: some access is not revoked, or not yet; the ' +
        'table shows the reasons.\n\nExample:\n  patchbay panic --toolkit gmail --reason "client secret ' +
        'leaked"\n  patchbay panic --project proj_… --revoke keys,mcp_grants,sessions,webhook_subscriptions',
    )
  addGlobalOptions(command).action(async () => {
    const { connection, version, asJson } = readGlobalOptions(command, io)
    const options = command.opts<Options>()
    const body = scopeOf(options)
    const seconds = secondsOf(options)
    if (!options['yes']) await confirm(io, body)
    const made = await callApi(io, connection, createIncident, version, { params: {}, query: {}, body })
    if (made.status >= 400) return finish(printResult(io, createIncident.id, made, asJson))
    const { id, frozen } = made.body as { id: string; frozen: number }
    writeNote(
      io,
      `${id}: ${frozen} ${frozen === 1 ? 'account is' : 'accounts are'} frozen. Revoking access at the providers.`,
    )
    const read = async (page: number, limit: number): Promise<Report> => {
      const cursor = Buffer.from(`${page}-${limit}`).toString('base64')
      const { status, body: answer } = await callApi(io, connection, readIncident, version, {
        params: { incident_id: id },
        query: { cursor },
        body: undefined,
      }).catch((error: unknown) => {
        throw error instanceof CallError ? unread(id, error.message) : error
      })
      if (status >= 400) throw unread(id, `The server returned HTTP ${status}.`)
      return answer as Report
    }
    const ended = await untilEnded(
      () => read(1, 1),
      seconds,
      ({ pending }) => writeNote(io, `${frozen - pending} of ${frozen} done`),
    )
    const items = await everything(read)
    if (asJson) printJson(io, { ...ended, items })
    else show(io, ended, items)
    finish(ended.revocations.done === ended.frozen ? EXIT.ok : EXIT.notAllRevoked)
  })
}

/** After the freeze, no error may look as if it had not happened. */
const unread = (id: string, why: string) =>
  new CallError(
    `The accounts are frozen, but the incident ${id} cannot be read: ${why}`,
    `Check again with \`patchbay incidents read ${id}\`.`,
    EXIT.notAllRevoked,
  )

function scopeOf({ project, toolkit, user, reason, revoke }: Options) {
  if (!project && !toolkit && !user)
    throw new UsageError('No accounts are selected.', 'Use --project, --toolkit or --user.')
  return {
    ...(project ? { project_id: project } : {}),
    ...(toolkit ? { toolkit_slug: toolkit } : {}),
    ...(user ? { user_id: user } : {}),
    ...(reason ? { reason } : {}),
    ...(typeof revoke === 'string' ? { revoke: revoke.split(',').map(readKind) } : {}),
  }
}

function readKind(text: string) {
  const kind = REVOCABLE_KINDS.find((one) => one === text.trim())
  if (kind === undefined)
    throw new UsageError(`--revoke does not take "${text}".`, `Use ${REVOCABLE_KINDS.join(', ')}.`)
  return kind
}

function secondsOf({ wait: text }: Options): number {
  const seconds = text === undefined ? WAIT_DEFAULT_S : Number(text)
  if (!(seconds >= 0 && seconds <= 3_600))
    throw new UsageError(`--wait takes seconds from 0 to 3600, not "${String(text)}".`, 'Omit it for 60.')
  return seconds
}

/** A mistyped command would stop every user of an application. */
async function confirm(io: Io, scope: object): Promise<void> {
  const no = () => new UsageError('Nothing was frozen.', 'Type yes, or use --yes in scripts.')
  if (!io.stdin || !io.stderr.isTTY) throw no()
  const lines = createInterface({ input: io.stdin as unknown as NodeJS.ReadableStream, output: io.stderr })
  const answer = await lines
    .question(`Freeze every ACTIVE account with ${JSON.stringify(scope)} and revoke its access? (yes/no) `)
    .finally(() => lines.close())
  if (answer.trim().toLowerCase() !== 'yes') throw no()
}

async function untilEnded(
  read: () => Promise<Report>,
  seconds: number,
  report: (counts: Report['revocations']) => void,
): Promise<Report> {
  const deadline = performance.now() + seconds * 1_000
  for (let before = -1; ;) {
    const now = await read()
    const { pending } = now.revocations
    if (pending !== before) report(now.revocations)
    if (pending === 0 || performance.now() > deadline) return now
    before = pending
    await wait(POLL_MS)
  }
}

async function everything(read: (page: number, limit: number) => Promise<Report>): Promise<Frozen[]> {
  const items: Frozen[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const one = await read(page, PAGE)
    items.push(...one.items)
    if (!one.next_cursor) break
  }
  return items
}

function show(
  io: Io,
  { id, frozen, revocations: { pending, done, failed, unsupported }, revoked }: Report,
  items: readonly Frozen[],
): void {
  const ended = REVOCABLE_KINDS.filter((kind) => revoked[kind] > 0)
  if (ended.length)
    io.stdout.write(`revoked: ${ended.map((kind) => `${revoked[kind]} ${kind}`).join(', ')}\n`)
  if (items.length) io.stdout.write(table(io, COLUMNS, items))
  const left = failed + unsupported
  io.stdout.write(
    `${frozen} frozen, ${done} revoked at the provider, ${left} to be revoked by hand, ${pending} in progress\n`,
  )
  if (pending) io.stderr.write(`Check again with \`patchbay incidents read ${id}\`.\n`)
}
