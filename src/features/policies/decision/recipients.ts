/** Of one value; what is longer is not read, and whom it names cannot be told. */
const CHARACTERS_MAX = 20_000
const PARTIES_MAX = 1_000
/** Commas and the like divide a list of recipients, but not within quotation marks. */
const PARTS = /(?:"(?:[^"\\]|\\.)*"?|[^",;\n])+/g
const BETWEEN_WORDS = /[\s<>,;"'()[\]]+/

/**
 * Who is named by a value: addresses of mail in lower case, wherever in a part of the list they stand, else the part itself, such as the id of a channel or a
 * number of a telephone. A name that looks like an address counts as one: a program that reads it otherwise than a person must not be the way around.
 * Undefined: it cannot be told.
 */
export function recipientsOf(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).normalize('NFKC')
  if (text.length > CHARACTERS_MAX) return undefined
  const parties = (text.match(PARTS) ?? []).flatMap((part) => {
    const addresses = part.split(BETWEEN_WORDS).filter((word) => word.includes('@'))
    return addresses.length > 0 ? addresses : part.trim() === '' ? [] : [part.trim()]
  })
  return parties.length > 0 && parties.length <= PARTIES_MAX
    ? parties.map((party) => party.toLowerCase())
    : undefined
}

/** Whether a list of domains, addresses and names has a recipient. Several `@` can be read in several ways, so that is nobody of the list. */
export function isListed(list: ReadonlySet<string>, recipient: string): boolean {
  const at = recipient.indexOf('@')
  if (at < 0) return list.has(recipient)
  return (
    recipient.indexOf('@', at + 1) < 0 && at > 0 && (list.has(recipient) || list.has(recipient.slice(at + 1)))
  )
}

/** As it is compared. */
export const listOf = (parties: readonly string[]): ReadonlySet<string> =>
  new Set(parties.map((party) => party.normalize('NFKC').trim().toLowerCase().replace(/^@/, '')))
