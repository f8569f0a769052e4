import { randomBytes } from 'node:crypto'
import { type ToolFile, ToolFailure } from '../../src/catalog/code-tool.ts'
import { hasControls, type Mailbox } from './addresses.ts'

export interface OutgoingMessage {
  from?: Mailbox
  to: Mailbox[]
  cc?: Mailbox[]
  bcc?: Mailbox[]
  replyTo?: Mailbox[]
  subject: string
  text?: string
  html?: string
  /** Message ids with their angle brackets. */
  inReplyTo?: string
  references?: string[]
  attachments?: readonly ToolFile[]
}

const CRLF = '\r\n'
const SUBJECT_CHARS_MAX = 2000
const LINE_CHARS_MAX = 76
// An encoded word has at most 75 characters (RFC 2047 §2): 45 bytes make 60 in Base64, and `=?UTF-8?B?` with
// `?=` another 12.
const WORD_BYTES_MAX = 45
const MESSAGE_ID = /<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>/g
const REFERENCES_MAX = 50

/** The ids in a Message-ID or References header; whatever else a received message has there is dropped. */
export const messageIds = (header: string): string[] => header.slice(0, 50_000).match(MESSAGE_ID) ?? []

/** RFC 2047 encoded words, cut between characters so that each can be decoded alone. */
export function encodedWords(text: string): string {
  const words: string[] = []
  let [chunk, bytes] = ['', 0]
  for (const character of text.toWellFormed()) {
    const size = Buffer.byteLength(character)
    if (bytes + size > WORD_BYTES_MAX) {
      words.push(chunk)
      chunk = ''
      bytes = 0
    }
    chunk += character
    bytes += size
  }
  return [...words, chunk]
    .map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`)
    .join(`${CRLF} `)
}

/** Printable ASCII that fits one line and that no reader could take for an encoded word goes as it is. */
const isPlain = (text: string, room: number) =>
  /^[\x20-\x7e]*$/.test(text) && !text.includes('=?') && text.length <= room

function headerText(text: string, name: string): string {
  if (hasControls(text)) throw new ToolFailure(`${name} must not hold line breaks or control characters`)
  return isPlain(text, LINE_CHARS_MAX - name.length - 2) ? text : encodedWords(text)
}

export function mailboxText({ name, address }: Mailbox): string {
  if (hasControls(name) || hasControls(address))
    throw new ToolFailure('An address must not hold line breaks or control characters')
  if (name === '') return address
  const words = isPlain(name, LINE_CHARS_MAX) ? `"${name.replace(/["\\]/g, '\\$&')}"` : encodedWords(name)
  // A line of its own when the two would not fit into one.
  return `${words}${words.length + address.length > LINE_CHARS_MAX ? CRLF : ''} <${address}>`
}

const mailboxesText = (mailboxes: Mailbox[]) => mailboxes.map(mailboxText).join(`,${CRLF} `)

const base64Lines = (text: string) =>
  Buffer.from(text.toWellFormed().replace(/\r\n|\r|\n/g, CRLF), 'utf8')
    .toString('base64')
    .replace(/.{76}(?=.)/g, `$&${CRLF}`)

const part = (type: 'plain' | 'html', content: string) =>
  [
    `Content-Type: text/${type}; charset="UTF-8"`,
    'Content-Transfer-Encoding: base64',
    '',
    base64Lines(content),
  ].join(CRLF)

function bodyLines({ text, html }: OutgoingMessage, boundary: string): string {
  if (html === undefined) return part('plain', text ?? '')
  if (text === undefined) return part('html', html)
  return [
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    part('plain', text),
    `--${boundary}`,
    part('html', html),
    `--${boundary}--`,
    '',
  ].join(CRLF)
}

const percentEncode = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`

/** A file by RFC 2183; a name beyond ASCII is written as RFC 2231 has it. */
function attachmentPart({ name, type = 'application/octet-stream', bytes }: ToolFile): string {
  const printable = name.replace(/[\u0000-\u001f\u007f]/g, '').toWellFormed() || 'file'
  const parameter = /^[\x20-\x7e]*$/.test(printable)
    ? `filename="${printable.replace(/["\\]/g, '\\$&')}"`
    : `filename*=UTF-8''${encodeURIComponent(printable).replace(/['()*]/g, percentEncode)}`
  return [
    `Content-Type: ${type}`,
    `Content-Disposition: attachment;${CRLF} ${parameter}`,
    'Content-Transfer-Encoding: base64',
    '',
    bytes.toString('base64').replace(/.{76}(?=.)/g, `$&${CRLF}`),
  ].join(CRLF)
}

/** The text, and behind it the files. */
function contentLines(message: OutgoingMessage, boundary: string): string {
  const { attachments = [] } = message
  if (!attachments.length) return bodyLines(message, boundary)
  const outer = `${boundary}.0`
  const parts = [bodyLines(message, boundary), ...attachments.map(attachmentPart)]
  return [
    `Content-Type: multipart/mixed; boundary="${outer}"`,
    '',
    ...parts.flatMap((one) => [`--${outer}`, one]),
    `--${outer}--`,
    '',
  ].join(CRLF)
}

/** `=_` cannot occur in Base64, so no part contains the boundary. */
const newBoundary = () => `=_${randomBytes(18).toString('hex')}`

/**
 * A message by RFC 5322 and MIME. Gmail itself adds From (when it is left out), Date and Message-ID, and
 * takes Bcc out before it sends. Every value that goes into a header is checked or encoded here, so that none
 * can end its line and begin another header.
 */
export function buildMessage(message: OutgoingMessage, boundary = newBoundary()): string {
  if (message.subject.length > SUBJECT_CHARS_MAX)
    throw new ToolFailure(`subject is longer than ${SUBJECT_CHARS_MAX} characters`)
  const { from, to, cc = [], bcc = [], replyTo = [], inReplyTo, references = [] } = message
  const ids = [...(inReplyTo === undefined ? [] : [inReplyTo]), ...references]
  if (ids.some((id) => id.match(MESSAGE_ID)?.[0] !== id)) throw new ToolFailure('A message id is not valid')
  const headers: [name: string, value: string][] = [
    ...(from ? [['From', mailboxText(from)] as [string, string]] : []),
    ['To', mailboxesText(to)],
    ['Cc', mailboxesText(cc)],
    ['Bcc', mailboxesText(bcc)],
    ['Reply-To', mailboxesText(replyTo)],
    ['Subject', headerText(message.subject.trim(), 'subject')],
    ['In-Reply-To', inReplyTo ?? ''],
    ['References', shortened(references).join(`${CRLF} `)],
    ['MIME-Version', '1.0'],
  ]
  const lines = headers
    .filter(([name, value]) => value !== '' || name === 'Subject')
    .map(([name, value]) => `${name}: ${value}`)
  return [...lines, contentLines(message, boundary)].join(CRLF)
}

/** Of a long conversation the first and the last ids are kept (RFC 5322 leaves that open; so do mail programs). */
const shortened = (references: string[]) =>
  references.length <= REFERENCES_MAX ? references : [references[0]!, ...references.slice(1 - REFERENCES_MAX)]

export const rawMessage = (message: OutgoingMessage) =>
  Buffer.from(buildMessage(message), 'utf8').toString('base64url')
