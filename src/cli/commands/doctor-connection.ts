import type { Command } from 'commander'
import { listProviderRequests } from '../../contract/connected-accounts/index.ts'
import type { ReplyOf } from '../../contract/route.ts'
import { callApi } from '../api-client/call.ts'
import { addGlobalOptions, type Finish, readGlobalOptions } from '../arguments/global-options.ts'
import { EXIT, type Io, painter, printable } from '../io.ts'
import { printApiError } from '../output/failure.ts'
import { printJson } from '../output/reply.ts'

type View = ReplyOf<typeof listProviderRequests>
const SHOWN = 5

/**
 * Adds `patchbay doctor connection ca_…`: the last requests to the provider, the likely cause of problems,
 * and the fix. It asks a running server.
 */
export function addDoctorConnection(program: Command, io: Io, finish: Finish): void {
  const doctor = program.commands.find((command) => command.name() === 'doctor')
  const command = doctor
    ?.command('connection <id>')
    .summary('Show the last requests of a connection to its provider, and likely problems')
    .description(
      'Shows the last requests of a connected account to its provider, without secrets, the likely cause ' +
        'of a problem, and the field of the manifest that fixes it.',
    )
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  patchbay doctor connection ca_8fQ2Lk0ZpXw1')
  if (!command) return
  addGlobalOptions(command).action(async () => {
    const { connection, asJson, version } = readGlobalOptions(command, io)
    const { status, body } = await callApi(io, connection, listProviderRequests, version, {
      params: { nanoid: command.args[0] ?? '' },
      query: {},
      body: undefined,
    })
    if (status >= 400) return finish(printApiError(io, status, body, asJson))
    if (asJson) printJson(io, body)
    else io.stdout.write(report(io, body as View))
    finish(EXIT.ok)
  })
}

/** Formats the account, the requests and the findings. */
function report(io: Io, { account, items, findings }: View): string {
  const paint = painter(io, io.stdout)
  const { status, status_reason: reason, identity } = account
  const previous = identity?.previous ? `, previously ${printable(identity.previous.label)}` : ''
  const lines = [
    `${paint('bold', printable(account.id))}  ` +
      `${printable(`${account.toolkit.slug}, ${account.auth_config.auth_scheme}, user ${account.user_id}`)}`,
    `${paint('bold', 'status')}  ` +
      `${paint(status === 'ACTIVE' ? 'green' : 'red', status)}${reason ? `: ${printable(reason)}` : ''}`,
    ...(identity ? [`${paint('bold', 'connected as')}  ${printable(identity.label)}${previous}`] : []),
    ...(account.token_expires_at
      ? [`${paint('bold', 'token expires')}  ${printable(account.token_expires_at)}`]
      : []),
    '',
    items.length
      ? paint('bold', 'Last requests to the provider, newest first')
      : 'No requests to the provider in the last thirty days.',
    ...items
      .slice(0, SHOWN)
      .flatMap((item, index) =>
        exchangeLines(item, index).map((line, at) =>
          at === 0 ? paint(item.outcome === 'ok' ? 'green' : 'red', line) : line,
        ),
      ),
    ...(items.length > SHOWN
      ? [paint('dim', `  and ${items.length - SHOWN} older requests; --json prints all.`)]
      : []),
    '',
    paint('bold', findings.length ? 'Findings' : items.length ? 'No problems found.' : ''),
    ...findings.flatMap(({ exchange, cause, field, fix }) => [
      `  ${paint('yellow', '!')} ${printable(cause)} (request ${exchange + 1})`,
      `    → ${field ? `${paint('bold', printable(field))}: ` : ''}${printable(fix)}`,
    ]),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function exchangeLines(
  { at, kind, outcome, code, duration_ms: ms, request, answer }: View['items'][number],
  index: number,
): string[] {
  const sent = request as {
    method?: string
    address?: string
    authorization?: string | null
    query?: object
    body?: object | null
  } | null
  const {
    status,
    format,
    content_type: type,
    body,
    failure,
  } = answer as {
    status?: number
    format?: string
    content_type?: string
    body?: unknown
    failure?: { kind: string; message: string }
  }
  const response = `${status} ${type ?? ''} ${format === 'empty' ? 'without a body' : ''}`.trimEnd()
  return [
    `  ${index + 1}. ${at}  ${kind}: ${outcome}${code ? `, ${code}` : ''}, ${ms} ms`,
    sent
      ? `     sent      ${sent.method} ` +
        `${sent.address}${sent.authorization ? `, Authorization ${sent.authorization}` : ''}`
      : '     sent      nothing',
    ...(sent && parameters(sent) ? [`               ${parameters(sent)}`] : []),
    `     received  ${failure ? `nothing: ${failure.message}` : response}`,
    ...(body === undefined ? [] : [`               ${JSON.stringify(body)}`]),
  ].map(printable)
}

const parameters = ({ query, body }: { query?: object; body?: object | null }): string =>
  Object.entries({ ...query, ...body })
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ')
