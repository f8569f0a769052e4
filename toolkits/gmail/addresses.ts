import { domainToASCII } from 'node:url'
import { ToolFailure } from '../../src/catalog/code-tool.ts'

export interface Mailbox {
  name: string
  address: string
}

const ADDRESS_CHARS_MAX = 254
const LIST_CHARS_MAX = 50_000
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const DOMAIN = /^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** Anything that could end a header line, or hide that it does. Tab is harmless but has no place in a name. */
export const hasControls = (text: string) => /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)

/**
 * The address in the form that goes into a header, or `undefined`. Quoted local parts and addresses in other
 * scripts are not taken.
 */
function soundAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  if (at < 1 || address.length > ADDRESS_CHARS_MAX) return undefined
  const local = address.slice(0, at)
  const domain = domainToASCII(address.slice(at + 1))
  return local.length <= 64 && ATOM.test(local) && domain !== '' && DOMAIN.test(domain)
    ? `${local}@${domain}`
    : undefined
}

/** `ada@example.com` or `Ada Lovelace <ada@example.com>`: one mailbox that a caller wrote. */
export function parseMailbox(text: string): Mailbox {
  if (hasControls(text)) throw new ToolFailure('An address must not hold line breaks or control characters')
  const found = parseMailboxes(text)
  const [mailbox] = found
  if (found.length !== 1 || mailbox === undefined) {
    throw new ToolFailure(
      `"${text.slice(0, 80)}" is not one e-mail address; write it as ada@example.com or Ada Lovelace <ada@example.com>`,
    )
  }
  return mailbox
}

/**
 * The mailboxes of a header such as To (RFC 5322 §3.4), read character by character in one pass. What is not
 * an address is left out:
 * the header of a received message is not ours to complain about.
 */
export function parseMailboxes(header: string): Mailbox[] {
  const mailboxes: Mailbox[] = []
  let [words, angle]: [string, string | undefined] = ['', undefined]
  const flush = () => {
    const address = soundAddress((angle ?? words).trim())
    if (address !== undefined)
      mailboxes.push({ name: angle === undefined ? '' : words.replace(/\s+/g, ' ').trim(), address })
    words = ''
    angle = undefined
  }
  const source = header.slice(0, LIST_CHARS_MAX)
  for (let at = 0; at < source.length; at++) {
    const character = source[at]!
    if (character === '"') {
      for (at++; at < source.length && source[at] !== '"'; at++) {
        if (source[at] === '\\') at++
        words += source[at] ?? ''
      }
    } else if (character === '(') {
      let depth = 1
      while (depth > 0 && ++at < source.length) {
        if (source[at] === '\\') at++
        else if (source[at] === '(') depth++
        else if (source[at] === ')') depth--
      }
    } else if (character === '<') {
      const end = source.indexOf('>', at)
      angle = end === -1 || angle !== undefined ? '' : source.slice(at + 1, end)
      at = end === -1 ? source.length : end
    } else if (character === ',' || character === ';') flush()
    else if (character === ':') words = ''
    else if (angle === undefined) words += character
    // Nothing may follow the address.
    else if (character.trim() !== '') angle = ''
  }
  flush()
  return mailboxes
}
