import { randomBytes } from 'node:crypto'
import type { CodeToolContext } from '../../src/catalog/code-tool.ts'
import { buildMessage, type OutgoingMessage, rawMessage } from './mime.ts'

const CRLF = '\r\n'

/**
 * Sends a message or keeps it as a draft. With files it goes as an upload, which may be as large as Gmail's
 * messages may; a body of JSON may not. https://developers.google.com/workspace/gmail/api/guides/uploads
 */
export function deliver(
  context: CodeToolContext,
  where: 'messages/send' | 'drafts',
  message: OutgoingMessage,
  threadId?: string,
): Promise<unknown> {
  const path = `/gmail/v1/users/me/${where}`
  const thread = threadId === undefined ? {} : { threadId }
  const wrapped = (inner: object) => (where === 'drafts' ? { message: inner } : inner)
  if (!message.attachments?.length)
    return context.request({ method: 'POST', path, body: wrapped({ raw: rawMessage(message), ...thread }) })
  const boundary = `upload_${randomBytes(18).toString('hex')}`
  const body = [
    `--${boundary}`,
    'Content-Type: application/json; charset=UTF-8',
    '',
    JSON.stringify(wrapped(thread)),
    `--${boundary}`,
    'Content-Type: message/rfc822',
    '',
    buildMessage(message),
    `--${boundary}--`,
    '',
  ].join(CRLF)
  return context.request({
    method: 'POST',
    path: `/upload${path}`,
    query: { uploadType: 'multipart' },
    headers: { 'content-type': `multipart/related; boundary=${boundary}` },
    body,
    body_type: 'text',
  })
}
