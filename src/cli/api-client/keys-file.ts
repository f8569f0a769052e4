import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { UsageError } from '../arguments/usage-error.ts'
import type { Io } from '../io.ts'

/** The file that the server writes to its data directory at its first start, or that `patchbay login` writes. */
export interface KeysFile {
  path: string
  url: string
  project_id?: string
  project_api_key?: string
  organization_api_key?: string
}

type Environment = Pick<Io, 'env' | 'cwd' | 'uid'>

/** The file that `patchbay login` writes: `~/.config/patchbay/keys.json`, or below XDG_CONFIG_HOME. */
export function loginFilePath({ env }: Pick<Io, 'env'>): string | undefined {
  const home = env['XDG_CONFIG_HOME'] || (env['HOME'] && join(env['HOME'], '.config')) || env['APPDATA']
  return home ? join(home, 'patchbay', 'keys.json') : undefined
}

/**
 * Returns the keys file in DATA_DIR or `.patchbay`, in this directory or one above it; else the file of `patchbay
 * login`. A file or folder of another user is not used: in a shared directory such as /tmp it would decide to
 * which server calls go.
 * @throws UsageError for an invalid file, and for one of another user if no other URL is known (`isRequired`)
 */
export function findKeysFile(io: Environment, { isRequired }: { isRequired: boolean }): KeysFile | undefined {
  const data = io.env['DATA_DIR'] || '.patchbay'
  // A folder that the user names with its full path is chosen by the user, also if another user owns it.
  const isChosen = isAbsolute(data)
  for (let directory = resolve(io.cwd); ; directory = dirname(directory)) {
    const path = join(resolve(directory, data), 'keys.json')
    const found = readKeysFile(path, isChosen ? undefined : io)
    if (typeof found === 'object') return found
    if (found === 'foreign' && isRequired)
      throw new UsageError(
        `${path} belongs to another user, so it is not used.`,
        'Use --url and --api-key, or name its folder with DATA_DIR if you trust it.',
      )
    if (directory === dirname(directory)) break
  }
  const login = loginFilePath(io)
  const found = login === undefined ? undefined : readKeysFile(login, io)
  return typeof found === 'object' ? found : undefined
}

/** Returns `foreign` for a file that `owner` does not own. The owner is not checked without `owner`. */
function readKeysFile(path: string, owner: Environment | undefined): KeysFile | 'foreign' | undefined {
  const text = readOwnFile(path, owner)
  if (text === undefined || text === 'foreign') return text
  try {
    const file = JSON.parse(text) as Partial<KeysFile>
    if (typeof file.url !== 'string') throw new Error('url is missing')
    return { ...file, url: file.url, path }
  } catch (error) {
    throw new UsageError(
      `${path} is invalid: ${(error as Error).message}.`,
      'Remove the file and restart the server, or use --url and --api-key.',
    )
  }
}

/** The owner is read from the open file, so that it cannot be exchanged between the check and the read. */
function readOwnFile(path: string, owner: Environment | undefined): string | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    const isOwn =
      !owner || (isOwnedBy(fstatSync(file).uid, owner) && isOwnedBy(statSync(dirname(path)).uid, owner))
    return isOwn ? readFileSync(file, 'utf8') : 'foreign'
  } catch {
    return undefined
  } finally {
    closeSync(file)
  }
}

/** With sudo, the files of the user who called it are own ones too, as in git (safe.directory). */
function isOwnedBy(uid: number, { uid: own, env }: Environment): boolean {
  return own === undefined || uid === own || (own === 0 && env['SUDO_UID'] === String(uid))
}
