/** Characters of one value. A longer value is not read. */
const VALUE_CHARACTERS_MAX = 20_000
const RECIPIENTS_MAX = 1_000
/** Commas, semicolons and line breaks divide a list of recipients, except inside quotation marks. */
const PARTS = /(?:"(?:[^"\\]|\\.)*"?|[^",;\n])+/g
const BETWEEN_WORDS = /[\s<>,;"'()[\]]+/

/**
 * Returns the recipients that a value names, in lower case: every e-mail address in it, or for a part of the list
 * without an address the part itself, such as a channel id or a telephone number. A display name that looks like an
 * address counts as one, so that a value which a mail program reads differently cannot bypass a policy.
 * Returns undefined if the recipients cannot be determined.
 */
export function parseRecipients(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).normalize('NFKC')
  if (text.length > VALUE_CHARACTERS_MAX) return undefined
  const recipients = (text.match(PARTS) ?? []).flatMap((part) => {
    const emails = part.split(BETWEEN_WORDS).filter((word) => word.includes('@'))
    return emails.length > 0 ? emails : part.trim() === '' ? [] : [part.trim()]
  })
  return recipients.length > 0 && recipients.length <= RECIPIENTS_MAX
    ? recipients.map((recipient) => recipient.toLowerCase())
    : undefined
}

/**
 * Whether a list of domains, e-mail addresses and names contains a recipient. A recipient with several `@` can be
 * read in several ways, so it never matches.
 */
export function isListedRecipient(list: ReadonlySet<string>, recipient: string): boolean {
  const at = recipient.indexOf('@')
  if (at < 0) return list.has(recipient)
  return (
    recipient.indexOf('@', at + 1) < 0 && at > 0 && (list.has(recipient) || list.has(recipient.slice(at + 1)))
  )
}

/** Normalizes the entries of a list in the same way as recipients. */
export const toRecipientSet = (entries: readonly string[]): ReadonlySet<string> =>
  new Set(entries.map((entry) => entry.normalize('NFKC').trim().toLowerCase().replace(/^@/, '')))
