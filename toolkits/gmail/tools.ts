import {
  type CodeTool,
  type CodeToolContext,
  type ToolFile,
  ToolFailure,
} from '../../src/catalog/code-tool.ts'
import { type Mailbox, parseMailbox, parseMailboxes } from './addresses.ts'
import { messageIds, type OutgoingMessage } from './mime.ts'
import { deliver } from './deliver.ts'
import { decodeHeader, type GmailMessage, header, readable, summary } from './read.ts'

type Args = Record<string, unknown>

const ME = '/gmail/v1/users/me'
const ID = /^[A-Za-z0-9_-]{1,128}$/
const RECIPIENTS_MAX = 500
const BODY_CHARS_MAX = 5_000_000
const AT_ONCE_MAX = 5
/** What Gmail takes as attachments. */
const ATTACHED_BYTES_MAX = 25_000_000
const SUMMARY_HEADERS = ['From', 'To', 'Cc', 'Subject', 'Date']
const REPLY_HEADERS = ['From', 'To', 'Cc', 'Reply-To', 'Subject', 'Message-ID', 'References']

function id(args: Args, name: string): string {
  const value = args[name]
  if (typeof value !== 'string' || !ID.test(value)) throw new ToolFailure(`${name} is not an id of Gmail`)
  return value
}

function textOf(args: Args, name: string): string | undefined {
  const value = args[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || value.length > BODY_CHARS_MAX)
    throw new ToolFailure(`${name} must be a text of at most ${BODY_CHARS_MAX} characters`)
  return value
}

function count(args: Args, name: string, fallback: number, max: number): number {
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

function outgoing(args: Args): OutgoingMessage {
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

async function sendEmail(args: Args, context: CodeToolContext): Promise<unknown> {
  const message = outgoing(args)
  if (message.to.length + (message.cc ?? []).length + (message.bcc ?? []).length === 0)
    throw new ToolFailure('The message has no recipient')
  return deliver(context, 'messages/send', message)
}

async function createDraft(args: Args, context: CodeToolContext): Promise<unknown> {
  const message = outgoing(args)
  if (args.thread_id === undefined) return deliver(context, 'drafts', message)
  const threadId = id(args, 'thread_id')
  const { last } = await lastOfThread(threadId, context)
  return deliver(
    context,
    'drafts',
    { ...message, subject: message.subject || replySubject(last), ...replyLinks(last) },
    threadId,
  )
}

/** The message that a reply answers: the newest that is not itself a draft or in the trash. */
async function lastOfThread(threadId: string, context: CodeToolContext): Promise<{ last: GmailMessage }> {
  const thread = await context.request({
    method: 'GET',
    path: `${ME}/threads/${threadId}`,
    query: { format: 'metadata', metadataHeaders: REPLY_HEADERS },
  })
  const messages = (thread as { messages?: GmailMessage[] }).messages ?? []
  const last = messages.findLast(
    ({ labelIds = [] }) => !labelIds.includes('DRAFT') && !labelIds.includes('TRASH'),
  )
  if (last === undefined) throw new ToolFailure('The thread has no message to reply to')
  return { last }
}

/** Line breaks of a received subject are folding; anything else that could break ours is dropped. */
function replySubject({ payload }: GmailMessage): string {
  const subject = decodeHeader(header(payload, 'Subject'))
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
    .slice(0, 1000)
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`
}

function replyLinks({ payload }: GmailMessage): Pick<OutgoingMessage, 'inReplyTo' | 'references'> {
  const [own] = messageIds(header(payload, 'Message-ID'))
  const earlier = messageIds(header(payload, 'References'))
  return own === undefined ? { references: earlier } : { inReplyTo: own, references: [...earlier, own] }
}

/** Names of received headers are shown to others again, so they lose what no name may hold. */
function received(payload: GmailMessage['payload'], name: string): Mailbox[] {
  return parseMailboxes(header(payload, name)).map((mailbox) => ({
    ...mailbox,
    name: decodeHeader(mailbox.name)
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
      .trim(),
  }))
}

function replyRecipients(
  { payload, labelIds = [] }: GmailMessage,
  own: string,
  all: boolean,
): { to: Mailbox[]; cc: Mailbox[] } {
  const sender = received(payload, 'Reply-To')
  // What one sent oneself is answered to those who got it.
  const to = labelIds.includes('SENT')
    ? received(payload, 'To')
    : sender.length > 0
      ? sender
      : received(payload, 'From')
  const others = all
    ? [...(labelIds.includes('SENT') ? [] : received(payload, 'To')), ...received(payload, 'Cc')]
    : []
  const seen = new Set(to.map(({ address }) => address.toLowerCase()).concat(own.toLowerCase()))
  const cc = others.filter(
    ({ address }) => !seen.has(address.toLowerCase()) && seen.add(address.toLowerCase()),
  )
  return { to, cc }
}

async function replyToThread(args: Args, context: CodeToolContext): Promise<unknown> {
  const threadId = id(args, 'thread_id')
  const message = outgoing({ ...args, to: [], subject: '' })
  const { last } = await lastOfThread(threadId, context)
  const own =
    args.reply_all === true
      ? (((await context.request({ method: 'GET', path: `${ME}/profile` })) as { emailAddress?: string })
          .emailAddress ?? '')
      : ''
  const { to, cc } = replyRecipients(last, own, args.reply_all === true)
  if (to.length === 0) throw new ToolFailure('The thread names no address to reply to')
  const reply = {
    ...message,
    to,
    cc: [...cc, ...(message.cc ?? [])],
    subject: replySubject(last),
    ...replyLinks(last),
  }
  if (to.length + reply.cc.length + (reply.bcc ?? []).length > RECIPIENTS_MAX)
    throw new ToolFailure(`A message has at most ${RECIPIENTS_MAX} recipients`)
  const sent = await deliver(context, 'messages/send', reply, threadId)
  return {
    ...(sent as object),
    to: to.map(({ address }) => address),
    cc: reply.cc.map(({ address }) => address),
    subject: reply.subject,
  }
}

async function readMessage(args: Args, context: CodeToolContext): Promise<unknown> {
  const message = await context.request({
    method: 'GET',
    path: `${ME}/messages/${id(args, 'message_id')}`,
    query: { format: 'full' },
  })
  return readable(message as GmailMessage, count(args, 'max_chars', 20_000, 200_000))
}

/** The newest messages of the thread, oldest first, which share the characters that the caller wants to read. */
async function getThread(args: Args, context: CodeToolContext): Promise<unknown> {
  const thread = (await context.request({
    method: 'GET',
    path: `${ME}/threads/${id(args, 'thread_id')}`,
    query: { format: 'full' },
  })) as { id?: string; messages?: GmailMessage[] }
  const all = thread.messages ?? []
  const newest = all.slice(-count(args, 'max_messages', 20, 100))
  const charsEach = Math.max(
    500,
    Math.floor(count(args, 'max_chars', 40_000, 200_000) / Math.max(1, newest.length)),
  )
  return {
    id: thread.id,
    message_count: all.length,
    messages: newest.map((message) => readable(message, charsEach)),
  }
}

/** The list only has ids; the messages are then asked for a few at a time, in the order of the list. */
async function fetchEmails(args: Args, context: CodeToolContext): Promise<unknown> {
  const { query: q, label_ids: labelIds, page_token: pageToken, include_spam_trash: includeSpamTrash } = args
  const list = (await context.request({
    method: 'GET',
    path: `${ME}/messages`,
    query: Object.fromEntries(
      Object.entries({
        q,
        labelIds,
        pageToken,
        includeSpamTrash,
        maxResults: count(args, 'max_results', 10, 50),
      }).filter(([, value]) => value !== undefined),
    ),
  })) as { messages?: { id?: string }[]; nextPageToken?: string; resultSizeEstimate?: number }
  const ids = (list.messages ?? []).map((message) => id(message, 'id'))
  const messages: unknown[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE_MAX) {
    context.signal.throwIfAborted()
    messages.push(
      ...(await Promise.all(
        ids.slice(at, at + AT_ONCE_MAX).map(async (messageId) =>
          summary(
            (await context.request({
              method: 'GET',
              path: `${ME}/messages/${messageId}`,
              query: { format: 'metadata', metadataHeaders: SUMMARY_HEADERS },
            })) as GmailMessage,
          ),
        ),
      )),
    )
  }
  return {
    messages,
    next_page_token: list.nextPageToken ?? null,
    result_size_estimate: list.resultSizeEstimate ?? messages.length,
  }
}

export const tools: Record<string, CodeTool> = {
  GMAIL_FETCH_EMAILS: fetchEmails,
  GMAIL_READ_MESSAGE: readMessage,
  GMAIL_GET_THREAD: getThread,
  GMAIL_SEND_EMAIL: sendEmail,
  GMAIL_CREATE_DRAFT: createDraft,
  GMAIL_REPLY_TO_THREAD: replyToThread,
}
