import { type CodeTool, type CodeToolContext, ToolFailure } from '../../src/catalog/code-tool.ts'
import { deliver } from './deliver.ts'
import { type GmailMessage, readable, summary } from './read.ts'
import { replyLinks, replyRecipients, replySubject } from './reply.ts'
import { type Args, count, id, outgoing, RECIPIENTS_MAX } from './tool-arguments.ts'

const ME = '/gmail/v1/users/me'
const AT_ONCE_MAX = 5
const SUMMARY_HEADERS = ['From', 'To', 'Cc', 'Subject', 'Date']
const REPLY_HEADERS = ['From', 'To', 'Cc', 'Reply-To', 'Subject', 'Message-ID', 'References']

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
