import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { type StreamedEvent, streamEvents } from '../../contract/events/index.ts'
import { newSecret } from '../../platform/webhook-signature.ts'
import {
  addGlobalOptions,
  type Finish,
  readGlobalOptions,
  type Options,
} from '../arguments/global-options.ts'
import { HEADINGS } from '../help/groups.ts'
import { EXIT, type Io, painter, printable, writeNote } from '../io.ts'
import { followEvents, type Message } from '../listen/event-stream.ts'
import { type ForwardResult, createForwarder } from '../listen/forward.ts'
import { printResult } from '../output/report.ts'
import { millisecondsOf } from '../arguments/durations.ts'
import { UsageError } from '../arguments/usage-error.ts'

/** Messages that only the stream has: no webhook delivers them, so they are not forwarded. */
const LIVE_TYPE = /^\w+\.tool_execution\./

/** Adds `patchbay listen`: prints events as they happen, and forwards them to a URL of this machine. */
export function addListenCommand(
  program: Command,
  io: Io,
  finish: Finish,
  pause: (ms: number) => Promise<unknown> = wait,
): void {
  const command = program
    .command('listen')
    .helpGroup(HEADINGS.other)
    .summary('Print events, and forward them to a local URL')
    .description(
      'Prints events as they happen, until it is stopped. With --forward, each event is sent to a local ' +
        'URL with a webhook signature.\nAfter a lost connection, it continues with the next event.',
    )
    .option(
      '--forward <url>',
      'send every event to this URL, one after another, such as http://localhost:8080/hooks',
    )
    .option('--secret <secret>', 'secret that signs forwarded events; default: a new one, which is printed')
    .option('--event-types <types>', 'events of these types only, separated by commas')
    .option('--trigger-ids <ids>', 'events of these trigger instances only, separated by commas')
    .option('--last-event-id <id>', 'continue after this event; default: new events only')
    .option('--for <time>', 'stop after this time, such as 30s or 10m')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  patchbay listen --forward http://localhost:8080/hooks')
  addGlobalOptions(command).action(async () => finish(await listen(command, io, pause)))
}

/** Follows the event stream until it ends, and returns the exit code. */
async function listen(command: Command, io: Io, pause: (ms: number) => Promise<unknown>): Promise<number> {
  const { connection, version, asJson } = readGlobalOptions(command, io)
  const options = command.opts<Options>()
  const dim = (text: string) => {
    if (!asJson) writeNote(io, text)
  }
  const secret = options['forward'] === undefined ? '' : secretOf(options)
  const forward =
    options['forward'] === undefined
      ? undefined
      : createForwarder(io, forwardUrl(String(options['forward'])), secret)
  if (forward && options['secret'] === undefined) dim(`Forwarded events are signed with ${secret}`)
  const ended =
    options['for'] === undefined
      ? undefined
      : AbortSignal.timeout(millisecondsOf('--for', String(options['for'])))
  const lastEventId = options['lastEventId'] as string | undefined
  const rejection = await followEvents(
    io,
    { connection, version, query: queryOf(options), lastEventId, ended, pause },
    {
      opened: (place) => dim(`Listening for events after ${place}.`),
      lost: (reason, place) =>
        dim(`${printable(reason)} Reconnecting${place === undefined ? '' : `, to continue after ${place}`}.`),
      async message(message) {
        const isLive = LIVE_TYPE.test(String((message.item.payload as { type?: unknown }).type))
        print(io, message, isLive ? undefined : await forward?.(message.item), asJson)
      },
    },
  )
  return rejection ? printResult(io, streamEvents.id, rejection, asJson) : EXIT.ok
}

const queryOf = (options: Options): Record<string, string> =>
  Object.fromEntries(
    [
      ['event_types', options['eventTypes']],
      ['trigger_ids', options['triggerIds']],
    ].filter(([, value]) => value !== undefined) as [string, string][],
  )

function print(io: Io, { id, item }: Message, forwarded: ForwardResult | undefined, asJson: boolean): void {
  if (asJson)
    return void io.stdout.write(
      `${JSON.stringify({ last_event_id: id, ...item, ...(forwarded ? { forwarded } : {}) })}\n`,
    )
  const paint = painter(io, io.stdout)
  const {
    timestamp = '',
    type = '',
    metadata = {},
    data = {},
  } = item.payload as {
    timestamp?: string
    type?: string
    metadata?: { trigger_slug?: string }
    data?: Readonly<Record<string, unknown>>
  }
  const delivery =
    forwarded &&
    (forwarded.error === null
      ? `${paint(forwarded.delivered ? 'green' : 'red', String(forwarded.status))} in ${forwarded.latency_ms} ms`
      : paint('red', forwarded.error))
  io.stdout.write(
    `${[
      timestamp.slice(11, 19),
      item.event_id,
      type,
      metadata.trigger_slug,
      ordering(item),
      ...executionParts(type, data),
    ]
      .filter(Boolean)
      .map((part) => printable(String(part)))
      .join('  ')}${delivery ? `  → ${delivery}` : ''}\n`,
  )
}

/** The tool, the user and the outcome of an execution, or how many are missing. */
function executionParts(type: string, data: Readonly<Record<string, unknown>>): unknown[] {
  if (!LIVE_TYPE.test(type)) return []
  const { tool_slug: tool, user_id: user, successful, duration_ms: duration, count } = data
  return tool === undefined
    ? [`${count ?? 'some'} executions are missing`]
    : [tool, user, successful === true ? 'successful' : 'failed', `${duration} ms`]
}

const ordering = ({ ordering_key: key }: StreamedEvent): string => key ?? ''

function secretOf({ secret }: Options): string {
  if (secret === undefined) return newSecret()
  if (!/^whsec_[A-Za-z0-9+/=]{8,128}$/.test(String(secret)))
    throw new UsageError(
      '--secret takes a webhook secret: whsec_ and base64.',
      'Omit it, and use the secret that is printed.',
    )
  return String(secret)
}

function forwardUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(
      `--forward takes a URL, not "${text}".`,
      'Include the scheme, as in http://localhost:8080/hooks.',
    )
  return url.href
}
