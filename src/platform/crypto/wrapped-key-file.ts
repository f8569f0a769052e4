import { randomBytes } from 'node:crypto'
import { StartupError } from '../startup-error.ts'
import type { KeyWrapper } from './kms/index.ts'
import { type KeyRing, parseKeyRing } from './key-ring.ts'

/** A key in the file that a key management service has encrypted: `id:kms:<ciphertext>`. */
const WRAPPED = /^([A-Za-z0-9][A-Za-z0-9_-]{0,31}):kms:(\S{1,4096})$/
/** Each key is one request to the service. */
const KEYS_MAX = 32

/** Returns the lines of a key file. */
export const keyLinesOf = (text: string): string[] =>
  text
    .split(/[,\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Throws if the file has keys that only a key management service can decrypt. @throws StartupError */
export function assertNotWrapped(text: string, file: string): void {
  const at = keyLinesOf(text).findIndex((line) => WRAPPED.test(line))
  if (at >= 0)
    throw new StartupError(
      `Key ${at + 1} of the key file ${file} is encrypted by a key management service, and KMS_KEY is not set.`,
      'Set KMS_KEY to the key of the service that encrypted it.',
    )
}

/** Creates a key with a random id, encrypted by the service if there is one, as a line of the key file. */
export async function newKeyLine(wrapper: KeyWrapper | undefined): Promise<string> {
  // Random: a second file, created after the first was lost, must not be mistaken for it.
  const id = `k${randomBytes(5).toString('hex')}`
  const key = randomBytes(32)
  return wrapper ? `${id}:kms:${await wrapper.wrap(id, key)}` : `${id}:${key.toString('base64')}`
}

/**
 * Returns a function that makes a ring of the text of a key file. Keys that the service has encrypted are decrypted
 * once and remembered; lines with plain keys, from before the service was used, are accepted too.
 */
export function createUnwrapper(wrapper: KeyWrapper): (text: string) => Promise<KeyRing> {
  let known = new Map<string, string>()
  return async (text) => {
    const lines = keyLinesOf(text)
    if (lines.length > KEYS_MAX) throw new Error(`it has more than ${KEYS_MAX} keys`)
    const plain = new Map<string, string>()
    for (const line of lines) plain.set(line, known.get(line) ?? (await unwrapLine(wrapper, line)))
    known = plain // Removed keys are forgotten here; the ring remembers them until the process ends.
    return parseKeyRing([...plain.values()].join('\n'))
  }
}

async function unwrapLine(wrapper: KeyWrapper, line: string): Promise<string> {
  const [, id, text] = WRAPPED.exec(line) ?? []
  if (id === undefined || text === undefined) return line
  try {
    return `${id}:${(await wrapper.unwrap(id, text)).toString('base64')}`
  } catch (cause) {
    throw new StartupError(
      `The encryption key ${id} cannot be decrypted with the ${wrapper.name}: ${(cause as Error).message}.`,
      'Check that the service can be reached, and that this server may decrypt with this key. Nothing was changed.',
      { cause },
    )
  }
}
