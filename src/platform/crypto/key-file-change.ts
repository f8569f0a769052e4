import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { StartupError } from '../startup-error.ts'
import { replacePrivateFile } from '../durable-file.ts'
import { keyFilePath, readKeyText } from './key-file.ts'
import type { KeyWrapper } from './kms/index.ts'
import { keyLinesOf, newKeyLine } from './wrapped-key-file.ts'

/** How long servers may take to decrypt a new key: a check of the file, and three requests to the service. */
const UNWRAP_MS = 20_000

/**
 * Adds a new key in front, and returns its id. The caller makes sure that no other process changes the file.
 * @throws StartupError
 */
export async function addKey(dataDir: string): Promise<string> {
  const line = await newKeyLine(undefined)
  await rewriteKeyFile(dataDir, (lines) => [line, ...lines])
  return idOf(line)
}

/**
 * Adds a new key that a key management service encrypts, and returns its id. Servers cannot ask the service while they
 * decrypt a value. So the key is second, and encrypts nothing, until all of them know it; then it becomes the first.
 * @throws StartupError, KmsError
 */
export async function addWrappedKey(
  dataDir: string,
  wrapper: KeyWrapper,
  unwrapMs = UNWRAP_MS,
): Promise<string> {
  const line = await newKeyLine(wrapper)
  await rewriteKeyFile(dataDir, ([first = '', ...others]) => [first, line, ...others])
  await wait(unwrapMs)
  await rewriteKeyFile(dataDir, (lines) => [line, ...lines.filter((other) => other !== line)])
  return idOf(line)
}

const idOf = (line: string): string => line.split(':')[0] as string

/**
 * Removes all keys but the first, and returns their ids. Values that they encrypted can never be decrypted
 * again.
 * @throws StartupError
 */
export async function keepFirstKey(dataDir: string): Promise<string[]> {
  let removed: string[] = []
  await rewriteKeyFile(dataDir, ([first = '', ...others]) => {
    removed = others.map(idOf)
    return [first]
  })
  return removed
}

/** Rewrites the file, completely or not at all. Its owner stays the same, whichever user runs this. */
async function rewriteKeyFile(dataDir: string, edit: (lines: string[]) => string[]): Promise<void> {
  const file = keyFilePath(dataDir)
  try {
    const text = readKeyText(file)
    if (text === undefined) throw new Error('it is missing')
    const { uid, gid } = await stat(file)
    const lines = edit(keyLinesOf(text))
    const owner = process.getuid?.() === 0 ? { uid, gid } : undefined
    await replacePrivateFile(file, `${lines.join('\n')}\n`, owner)
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(
      `The key file ${file} cannot be changed: ${(cause as Error).message}.`,
      'Run this as the user who runs the server, with a DATA_DIR that it may write to.',
      { cause },
    )
  }
}
