import { createHash, hkdfSync } from 'node:crypto'
import { randomText } from '../../platform/ids.ts'

/** 256 bits of entropy: a secret alone authenticates its holder. */
const CHARACTERS = 43
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = {
  access: 'mat',
  refresh: 'mrt',
  code: 'mac',
  client: 'mcs',
  signIn: 'mln',
  pushedRequest: 'mpr',
} as const
const SHAPE = /^m(at|rt|ac|cs|ln|pr)_[A-Za-z0-9]{43}$/

/** Generates a secret. Only its hash is stored. */
export const newSecret = (kind: keyof typeof PREFIX): string => `${PREFIX[kind]}_${randomText(CHARACTERS)}`

/**
 * Derives a secret from another one and a salt (HKDF, RFC 5869). With only one of the two it cannot be computed.
 */
export function deriveSecret(kind: keyof typeof PREFIX, secret: string, salt: Buffer): string {
  const bytes = Buffer.from(hkdfSync('sha256', secret, salt, `mcp ${kind}`, 32))
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  while (text.length < CHARACTERS) {
    text = ALPHABET[Number(rest % 62n)] + text
    rest /= 62n
  }
  return `${PREFIX[kind]}_${text}`
}

/** Hashes a secret with SHA-256. A random secret needs no slow hash. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Whether a text has the form of a secret of this kind. Other texts are not looked up in the database. */
export const isSecret = (kind: keyof typeof PREFIX, text: unknown): text is string =>
  typeof text === 'string' && SHAPE.test(text) && text.startsWith(PREFIX[kind])
