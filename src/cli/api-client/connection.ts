import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Audience } from '../../contract/route.ts'
import { UsageError } from '../arguments/usage-error.ts'

/** What the server writes beside its data at its first start. */
export interface KeysFile {
  path: string
  url: string
  project_id?: string
  project_api_key?: string
  organization_api_key?: string
}

export interface Connection {
  /** Without a slash at the end. */
  url: string
  apiKey?: string | undefined
  orgApiKey?: string | undefined
  projectId?: string | undefined
  keysFile?: KeysFile | undefined
}

export interface ConnectionFlags {
  url?: string
  apiKey?: string
  orgApiKey?: string
}

const DEFAULT_URL = 'http://localhost:3900'

/** Where to call and with which keys: flags, then the environment, then the keys file of a server nearby. */
export function connectionOf(
  flags: ConnectionFlags,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Connection {
  const file = findKeysFile(env, cwd)
  const askedUrl = flags.url ?? (env['PATCHBAY_URL'] || undefined)
  const ownApiKey = flags.apiKey ?? (env['PATCHBAY_API_KEY'] || undefined)
  const ownOrgApiKey = flags.orgApiKey ?? (env['PATCHBAY_ORG_API_KEY'] || undefined)
  // A keys file can lie in any directory one happens to be in: the key of one server is never sent to the other.
  const isOfFile = file !== undefined && (askedUrl === undefined || isSameServer(askedUrl, file.url))
  if (file && askedUrl === undefined && (ownApiKey ?? ownOrgApiKey) !== undefined && !isLoopback(file.url)) {
    throw new UsageError(
      `A key is given, but the server is only named by ${file.path}.`,
      `Say where to send the key: --url ${file.url}.`,
    )
  }
  return {
    url: checked(askedUrl ?? file?.url ?? DEFAULT_URL).replace(/\/+$/, ''),
    apiKey: ownApiKey ?? (isOfFile ? file.project_api_key : undefined),
    orgApiKey: ownOrgApiKey ?? (isOfFile ? file.organization_api_key : undefined),
    projectId: isOfFile ? file.project_id : undefined,
    keysFile: file,
  }
}

const CREDENTIALS = {
  project: {
    header: 'x-api-key',
    key: 'apiKey',
    flag: '--api-key',
    variable: 'PATCHBAY_API_KEY',
    what: 'a project key',
  },
  organization: {
    header: 'x-org-api-key',
    key: 'orgApiKey',
    flag: '--org-api-key',
    variable: 'PATCHBAY_ORG_API_KEY',
    what: 'the key of the organization',
  },
} as const

/** Exactly the one credential header that a route takes. */
export function credentialHeader(connection: Connection, audience: Audience): Record<string, string> {
  if (audience === 'public') return {}
  const { header, key, flag, variable, what } = CREDENTIALS[audience]
  const value = connection[key]
  if (value === undefined)
    throw new UsageError(
      `This command needs ${what} for ${connection.url}.`,
      `Give ${flag}, set ${variable}, or run it in the directory where the server was started.`,
    )
  return { [header]: value }
}

function findKeysFile(env: Readonly<Record<string, string | undefined>>, cwd: string): KeysFile | undefined {
  const data = env['DATA_DIR'] || '.patchbay'
  for (let directory = resolve(cwd); ; directory = dirname(directory)) {
    const found = readKeysFile(join(resolve(directory, data), 'keys.json'))
    if (found || directory === dirname(directory)) return found
  }
}

function readKeysFile(path: string): KeysFile | undefined {
  let text
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
  try {
    const file = JSON.parse(text) as Partial<KeysFile>
    if (typeof file.url !== 'string') throw new Error('url is missing')
    return { ...file, url: file.url, path }
  } catch (error) {
    throw new UsageError(
      `${path} cannot be used: ${(error as Error).message}.`,
      'Remove the file and start the server again, or give --url and --api-key.',
    )
  }
}

function checked(url: string): string {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:')
    throw new UsageError(
      `"${url}" is not the address of a server.`,
      `Write it with its scheme, such as ${DEFAULT_URL}.`,
    )
  return url
}

const isLoopback = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')
const portOf = (url: string): string | undefined => URL.parse(url)?.port

function isSameServer(one: string, other: string): boolean {
  return (
    URL.parse(one)?.origin === URL.parse(other)?.origin ||
    (isLoopback(one) && isLoopback(other) && portOf(one) === portOf(other))
  )
}
