import { htmlToText } from './html-text.ts'

/** What Gmail answers for one message (`format=full` or `metadata`), as far as it is used here. */
export interface GmailPart {
  mimeType?: string
  filename?: string
  headers?: { name?: string; value?: string }[]
  body?: { size?: number; data?: string; attachmentId?: string }
  parts?: GmailPart[]
}
export interface GmailMessage {
  id?: string
  threadId?: string
  labelIds?: string[]
  snippet?: string
  internalDate?: string
  payload?: GmailPart
}

const PARTS_MAX = 500
const ENCODED_WORD = /=\?([A-Za-z0-9_-]{1,40})(?:\*[A-Za-z-]{0,20})?\?([BbQq])\?([^?\s]{0,2000})\?=/g

function decodeBytes(bytes: Uint8Array, charset = 'utf-8'): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    try {
      return new TextDecoder(charset).decode(bytes)
    } catch {
      return new TextDecoder('windows-1252').decode(bytes)
    }
  }
}

function decodeWord(_: string, charset: string, encoding: string, text: string): string {
  if (encoding.toUpperCase() === 'B') return decodeBytes(Buffer.from(text, 'base64'), charset)
  const bytes = text
    .replaceAll('_', ' ')
    .replace(/=([0-9A-Fa-f]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decodeBytes(Buffer.from(bytes, 'latin1'), charset)
}

/** Encoded words as text (RFC 2047); the space between two of them is not a part of it. */
export const decodeHeader = (value: string) =>
  value.replace(/(\?=)\s+(?==\?)/g, '$1').replace(ENCODED_WORD, decodeWord)

export function header(part: GmailPart | undefined, name: string): string {
  const found = part?.headers?.find((candidate) => candidate.name?.toLowerCase() === name.toLowerCase())
  return found?.value ?? ''
}

/** All parts, outermost first, without recursion: a message may nest them as deep as its sender likes. */
function allParts(payload: GmailPart | undefined): GmailPart[] {
  const [found, open]: [GmailPart[], GmailPart[]] = [[], payload ? [payload] : []]
  while (open.length > 0 && found.length < PARTS_MAX) {
    const part = open.shift()!
    found.push(part)
    open.unshift(...(part.parts ?? []))
  }
  return found
}

function textOf(part: GmailPart | undefined): string | undefined {
  if (part?.body?.data === undefined) return undefined
  const charset = /charset\s*=\s*"?([A-Za-z0-9_:-]{1,40})/i.exec(header(part, 'Content-Type'))?.[1]
  return decodeBytes(Buffer.from(part.body.data, 'base64url'), charset)
}

function bodyText(parts: GmailPart[]): { text: string; from_html: boolean } {
  const inline = parts.filter(({ filename }) => !filename)
  const plain = inline
    .filter(({ mimeType }) => mimeType === 'text/plain')
    .map(textOf)
    .filter((text) => text !== undefined && text.trim() !== '')
  if (plain.length > 0) return { text: plain.join('\n\n').replaceAll('\r\n', '\n'), from_html: false }
  const html = inline
    .filter(({ mimeType }) => mimeType === 'text/html')
    .map(textOf)
    .filter((text) => text !== undefined)
  return { text: html.map(htmlToText).join('\n\n'), from_html: html.length > 0 }
}

/** Sender, recipients, subject and the like: what `format=metadata` holds too. */
export function summary(message: GmailMessage) {
  const { payload, labelIds = [], internalDate } = message
  const [cc, date] = [header(payload, 'Cc'), Number(internalDate)]
  return {
    id: message.id,
    thread_id: message.threadId,
    subject: decodeHeader(header(payload, 'Subject')),
    from: decodeHeader(header(payload, 'From')),
    to: decodeHeader(header(payload, 'To')),
    ...(cc === '' ? {} : { cc: decodeHeader(cc) }),
    date: internalDate !== undefined && Math.abs(date) <= 8.64e15 ? new Date(date).toISOString() : null,
    // Gmail writes the snippet as HTML text.
    snippet: htmlToText(message.snippet ?? ''),
    unread: labelIds.includes('UNREAD'),
    label_ids: labelIds,
  }
}

/** A message as a reader sees it: its text decoded and cut to a length, its attachments named and not included. */
export function readable(message: GmailMessage, charsMax: number) {
  const parts = allParts(message.payload)
  const { text, from_html } = bodyText(parts)
  return {
    ...summary(message),
    text: text.slice(0, charsMax).toWellFormed(),
    truncated: text.length > charsMax,
    from_html,
    message_id: header(message.payload, 'Message-ID'),
    attachments: parts
      .filter(({ filename }) => filename)
      .map(({ filename, mimeType, body }) => ({
        filename,
        mime_type: mimeType,
        size: body?.size ?? 0,
        attachment_id: body?.attachmentId ?? null,
      })),
  }
}
