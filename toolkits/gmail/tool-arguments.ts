import { type ToolFile, ToolFailure } from '../../src/catalog/code-tool.ts'
import { type Mailbox, parseMailbox } from './addresses.ts'
import type { OutgoingMessage } from './mime.ts'

export type Args = Record<string, unknown>

const ID = /^[A-Za-z0-9_-]{1,128}$/
/** The limit of Gmail for one message. */
export const RECIPIENTS_MAX = 500
const BODY_CHARS_MAX = 5_000_000
/** What Gmail takes as attachments. */
const ATTACHED_BYTES_MAX = 25_000_000

/** Returns an id of Gmail. @throws ToolFailure */
export function id(args: Args, name: string): string {
  const value = args[name]
  if (typeof value !== 'string' || !ID.test(value)) throw new ToolFailure(`${name} is not an id of Gmail`)
  return value
}

/** Returns a text, or undefined without one. @throws ToolFailure */
function textOf(args: Args, name: string): string | undefined {
  const value = args[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || value.length > BODY_CHARS_MAX)
    throw new ToolFailure(`${name} must be a text of at most ${BODY_CHARS_MAX} characters`)
  return value
}

/** Returns a number up to a maximum. */
export function count(args: Args, name: string, fallback: number, max: number): number {
  const value = args[name]
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? Math.min(value, max) : fallback
}

function mailboxes(args: Args, name: string): Mailbox[] {
  const value = args[name] ?? []
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string'))
    throw new ToolFailure(`${name} must be a list of addresses`)
  return value.map((entry: string) => parseMailbox(entry))
}

/** Files that were uploaded; the engine has put their bytes in place of their keys. */
function attachments(args: Args): ToolFile[] {
  const files = (args['attachments'] ?? []) as ToolFile[]
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > ATTACHED_BYTES_MAX)
    throw new ToolFailure(`The files of a message may have ${ATTACHED_BYTES_MAX / 1_000_000} MB together`)
  return files
}

/** Returns the message that the arguments describe. @throws ToolFailure */
export function outgoing(args: Args): OutgoingMessage {
  const [text, html] = [textOf(args, 'body'), textOf(args, 'html_body')]
  if (text === undefined && html === undefined)
    throw new ToolFailure('Give the text of the message as body, html_body or both')
  const from = textOf(args, 'from')
  const message = {
    to: mailboxes(args, 'to'),
    cc: mailboxes(args, 'cc'),
    bcc: mailboxes(args, 'bcc'),
    replyTo: mailboxes(args, 'reply_to'),
    subject: textOf(args, 'subject') ?? '',
    attachments: attachments(args),
    ...(from === undefined ? {} : { from: parseMailbox(from) }),
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
  }
  if (message.to.length + message.cc.length + message.bcc.length > RECIPIENTS_MAX)
    throw new ToolFailure(`A message has at most ${RECIPIENTS_MAX} recipients`)
  return message
}
