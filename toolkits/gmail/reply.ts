import { type Mailbox, parseMailboxes } from './addresses.ts'
import { messageIds, type OutgoingMessage } from './mime.ts'
import { decodeHeader, type GmailMessage, header } from './read.ts'

/** Line breaks of a received subject are folding; anything else that could break ours is dropped. */
export function replySubject({ payload }: GmailMessage): string {
  const subject = decodeHeader(header(payload, 'Subject'))
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
    .slice(0, 1000)
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`
}

/** Returns the headers that place a reply in its thread. */
export function replyLinks({ payload }: GmailMessage): Pick<OutgoingMessage, 'inReplyTo' | 'references'> {
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

/** Returns the recipients of a reply, without the account itself. */
export function replyRecipients(
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
