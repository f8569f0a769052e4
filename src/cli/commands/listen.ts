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
import { EXIT, type Io, painter, printable } from '../io.ts'
import { followEvents, type Message } from '../listen/event-stream.ts'
import { type ForwardResult, createForwarder } from '../listen/forward.ts'
import { printResult } from '../output/report.ts'
import { millisecondsOf } from '../arguments/durations.ts'
import { UsageError } from '../arguments/usage-error.ts'

/** `patchbay listen`: events as they happen, in a terminal and at an address of this machine. */
export function addListenCommand(
  program: Command,
  io: Io,
  finish: Finish,
  pause: (ms: number) => Promise<unknown> = wait,
): void {
  const command = program
    .command('listen')
    .helpGroup(HEADINGS.other)
    .summary('Follow events, and forward them to a local address')
    .description(
      'Prints events as they happen, until it is stopped. With --forward each is posted to a local address, signed as a webhook is.\nA connection that breaks is taken up again where it broke.',
    )
    .option(
      '--forward <address>',
      'post every event there, one after another, as http://localhost:8080/hooks',
    )
    .option('--secret <secret>', 'what forwarded events are signed with; a new one is printed without it')
    .option('--event-types <types>', 'events of these types only, joined by commas')
    .option('--trigger-ids <ids>', 'events of these trigger instances only, joined by commas')
    .option('--last-event-id <id>', 'go on after this place; without it, from now on')
    .option('--for <time>', 'stop after this time, as 30s or 10m')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  patchbay listen --forward http://localhost:8080/hooks')
  addGlobalOptions(command).action(async () => {
    const { connection, version, asJson } = readGlobalOptions(command, io)
    const given = command.opts<Options>()
    const dim = (text: string) => {
      if (!asJson) io.stderr.write(`${painter(io, io.stderr)('dim', text)}\n`)
    }
    const secret = given['forward'] === undefined ? '' : secretOf(given)
    const forward =
      given['forward'] === undefined
        ? undefined
        : createForwarder(io, addressOf(String(given['forward'])), secret)
    const ended =
      given['for'] === undefined
        ? undefined
        : AbortSignal.timeout(millisecondsOf('--for', String(given['for'])))
    const query = Object.fromEntries(
      [
        ['event_types', given['eventTypes']],
        ['trigger_ids', given['triggerIds']],
      ].filter(([, value]) => value !== undefined) as [string, string][],
    )
    if (forward && given['secret'] === undefined) dim(`Forwarded events are signed with ${secret}`)
    const refused = await followEvents(
      io,
      { connection, version, query, lastEventId: given['lastEventId'] as string | undefined, ended, pause },
      {
        opened: (place) => dim(`Listening from ${place} on.`),
        lost: (reason, place) =>
          dim(`${printable(reason)} It is taken up again${place === undefined ? '' : ` from ${place} on`}.`),
        async message(message) {
          print(io, message, await forward?.(message.item), asJson)
        },
      },
    )
    finish(refused ? printResult(io, streamEvents.id, refused, asJson) : EXIT.ok)
  })
}

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
  } = item.payload as { timestamp?: string; type?: string; metadata?: { trigger_slug?: string } }
  const came =
    forwarded &&
    (forwarded.error === null
      ? `${paint(forwarded.delivered ? 'green' : 'red', String(forwarded.status))} in ${forwarded.latency_ms} ms`
      : paint('red', forwarded.error))
  io.stdout.write(
    `${[timestamp.slice(11, 19), item.event_id, type, metadata.trigger_slug, ordering(item)]
      .filter(Boolean)
      .map((part) => printable(String(part)))
      .join('  ')}${came ? `  → ${came}` : ''}\n`,
  )
}

const ordering = ({ ordering_key: key }: StreamedEvent): string => key ?? ''

function secretOf({ secret }: Options): string {
  if (secret === undefined) return newSecret()
  if (!/^whsec_[A-Za-z0-9+/=]{8,128}$/.test(String(secret)))
    throw new UsageError(
      '--secret takes a secret as webhooks have it: whsec_ and base64.',
      'Leave it out, and use the one that is printed.',
    )
  return String(secret)
}

function addressOf(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(
      `--forward takes an address, not "${text}".`,
      'Write it with its scheme, as http://localhost:8080/hooks.',
    )
  return url.href
}
