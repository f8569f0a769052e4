import type { Audience } from '../../contract/route.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Io } from '../io.ts'
import { findKeysFile, type KeysFile } from './keys-file.ts'

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

export const DEFAULT_URL = 'http://localhost:3900'

/**
 * Returns the server and the keys: from flags, then from the environment, then from a keys file in or above
 * `cwd`.
 */
export function connectionOf(flags: ConnectionFlags, io: Pick<Io, 'env' | 'cwd' | 'uid'>): Connection {
  const { env } = io
  const explicitUrl = flags.url ?? (env['PATCHBAY_URL'] || undefined)
  const explicitApiKey = flags.apiKey ?? (env['PATCHBAY_API_KEY'] || undefined)
  const explicitOrgApiKey = flags.orgApiKey ?? (env['PATCHBAY_ORG_API_KEY'] || undefined)
  const file = findKeysFile(io, { isRequired: explicitUrl === undefined })
  // A keys file can be in any directory, so a key of one server is never sent to another.
  const isOfFile = file !== undefined && (explicitUrl === undefined || isSameServer(explicitUrl, file.url))
  if (
    file &&
    explicitUrl === undefined &&
    (explicitApiKey ?? explicitOrgApiKey) !== undefined &&
    !isLoopback(file.url)
  ) {
    throw new UsageError(
      `A key is set, but the server comes from ${file.path}.`,
      `Confirm where to send the key: --url ${file.url}.`,
    )
  }
  return {
    url: checked(explicitUrl ?? file?.url ?? DEFAULT_URL).replace(/\/+$/, ''),
    apiKey: explicitApiKey ?? (isOfFile ? file.project_api_key : undefined),
    orgApiKey: explicitOrgApiKey ?? (isOfFile ? file.organization_api_key : undefined),
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
    what: 'an organization key',
  },
} as const

/** Returns the one credential header that a route takes. */
export function credentialHeader(connection: Connection, audience: Audience): Record<string, string> {
  if (audience === 'public') return {}
  const { header, key, flag, variable, what } = CREDENTIALS[audience]
  const value = connection[key]
  if (value === undefined)
    throw new UsageError(
      `This command needs ${what} for ${connection.url}.`,
      `Use ${flag}, set ${variable}, or run the command in the directory where the server was started.`,
    )
  return { [header]: value }
}

function checked(url: string): string {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:')
    throw new UsageError(`"${url}" is not the URL of a server.`, `Include the scheme, as in ${DEFAULT_URL}.`)
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
