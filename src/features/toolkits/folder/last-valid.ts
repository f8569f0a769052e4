import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { renameFile } from '../../../platform/rename-file.ts'
import { isObject } from '../../../platform/json-object.ts'

const FILE = 'valid.json'
const DIGEST = /^[0-9a-f]{64}$/
/** Processes of the former release may still read older snapshots. */
const UNUSED_MS = 24 * 3_600_000

/** The digests of the last valid versions by slug: a start uses them for toolkits that are invalid by then. */
export async function readLastValid(cache: string): Promise<ReadonlyMap<string, string>> {
  try {
    const value: unknown = JSON.parse(await readFile(join(cache, FILE), 'utf8'))
    const entries = Object.entries(isObject(value) ? value : {})
    return new Map(entries.filter((entry): entry is [string, string] => DIGEST.test(String(entry[1]))))
  } catch {
    return new Map()
  }
}

export async function writeLastValid(cache: string, digests: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(cache, { recursive: true, mode: 0o700 })
  const temporary = join(cache, `.${randomUUID()}`)
  await writeFile(temporary, JSON.stringify(Object.fromEntries(digests)), { mode: 0o600 })
  await renameFile(temporary, join(cache, FILE))
}

/** Removes copies of the files of toolkits that no process uses. `inUse`: names of their folders. */
export async function removeOldSnapshots(
  cache: string,
  inUse: ReadonlySet<string>,
  now: number,
): Promise<void> {
  for (const name of await readdir(cache).catch(() => [])) {
    if (name === FILE || inUse.has(name)) continue
    const path = join(cache, name)
    const { mtimeMs = now } = (await stat(path).catch(() => undefined)) ?? {}
    if (now - mtimeMs > UNUSED_MS) await rm(path, { recursive: true, force: true })
  }
}
