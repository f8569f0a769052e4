import { readFile } from 'node:fs/promises'
import {
  createEncryptor,
  decryptWithPassphrase,
  EncryptionError,
  encryptWithPassphrase,
  type KeyRing,
  PASSPHRASE_LENGTH_MIN,
  type PassphraseEnvelope,
} from '../../platform/crypto/index.ts'
import { StartupError } from '../../platform/startup-error.ts'
import type { Manifest } from './manifest.ts'

const CHECK_CONTEXT = 'backup:key-check'

/** Reads the first line of the file. @throws StartupError */
export async function readPassphrase(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new StartupError(
      `The passphrase file ${file} cannot be read: ${cause.message}`,
      'Name a file whose first line is the passphrase.',
      { cause },
    )
  })
  const passphrase = text.split(/\r?\n/, 1)[0] ?? ''
  if (passphrase.length >= PASSPHRASE_LENGTH_MIN) return passphrase
  throw new StartupError(
    `The passphrase in ${file} has ${passphrase.length} characters; at least ${PASSPHRASE_LENGTH_MIN} are needed.`,
    'Generate one, for example with `openssl rand -base64 24`.',
  )
}

/** Encrypts the keys of a ring. */
export const encryptKeys = async (ring: KeyRing, passphrase: string): Promise<Buffer> =>
  Buffer.from(JSON.stringify(await encryptWithPassphrase(keyLines(ring), passphrase)))

/** Returns the lines of the key file. @throws StartupError if the passphrase is wrong */
export async function decryptKeys(bytes: Buffer, passphrase: string): Promise<string> {
  try {
    return await decryptWithPassphrase(JSON.parse(bytes.toString('utf8')) as PassphraseEnvelope, passphrase)
  } catch (cause) {
    throw new StartupError(
      'The passphrase is not the one with which this backup was made.',
      'Use the passphrase of this backup.',
      { cause },
    )
  }
}

const keyLines = (ring: KeyRing): string =>
  ring.ids.map((id) => `${id}:${ring.key(id)!.export().toString('base64')}\n`).join('')

/** Encrypts a value with each key, so that a restore can compare keys without having them. */
export const describeKeys = (ring: KeyRing): Manifest['keys'] =>
  ring.ids.map((id) => ({
    id,
    check: createEncryptor({ encryptionKeyId: id, ids: [id], key: (asked) => ring.key(asked) })
      .encryptWithRing(id, CHECK_CONTEXT)
      .toString('base64'),
  }))

/** Whether the ring has every key of the backup. @throws StartupError that names the missing keys */
export function assertHasKeys(ring: KeyRing, keys: Manifest['keys'], source: string): void {
  const encryptor = createEncryptor(ring)
  const missing = keys.filter(({ check }) => {
    try {
      encryptor.decrypt(Buffer.from(check, 'base64'), CHECK_CONTEXT)
      return false
    } catch (error) {
      if (!(error instanceof EncryptionError)) throw error
      return true
    }
  })
  if (missing.length)
    throw new StartupError(
      `${source} does not have the encryption keys of this backup: ${missing.map(({ id }) => id).join(', ')}.`,
      'Put the key file of that server there, set ENCRYPTION_KEYS, or use --passphrase-file with a backup that ' +
        'contains the keys.',
    )
}
