import type { PassphraseEnvelope } from '../../platform/crypto/passphrase.ts'
import { isObject } from '../../platform/json-object.ts'
import { UsageError } from '../arguments/usage-error.ts'

export const FORMAT = 'patchbay-project'
export const VERSION = 1

/** An object of the source, with its id there. */
export interface SourceItem {
  id: string
  [field: string]: unknown
}

/** The configuration of one project; its secrets are encrypted. */
export interface ProjectFile {
  format: typeof FORMAT
  version: number
  /** URL of the server that was read. */
  source: string
  /** ISO 8601, UTC. */
  exported_at: string
  /** Versions of custom toolkits, newest first, with their content. Files of earlier versions have none. */
  toolkits: SourceItem[]
  auth_configs: SourceItem[]
  /** Without credentials, which are among `secrets`. */
  connected_accounts: SourceItem[]
  mcp_servers: SourceItem[]
  policies: SourceItem[]
  webhooks: SourceItem[]
  triggers: SourceItem[]
  /** Saved session configurations. Files of earlier versions have none. */
  session_configs: SourceItem[]
  /** Open sessions with their configurations. Files of earlier versions have none. */
  sessions: SourceItem[]
  /** The settings of the project, as one object; empty in files of earlier versions. */
  settings: SourceItem[]
  /** Pages of secrets, encrypted with a passphrase; absent without `--passphrase-file`. */
  secrets?: PassphraseEnvelope[]
}

export const LISTS = [
  'toolkits',
  'auth_configs',
  'connected_accounts',
  'mcp_servers',
  'policies',
  'webhooks',
  'triggers',
  'session_configs',
  'sessions',
  'settings',
] as const
export type ListName = (typeof LISTS)[number]

/** Lists that files of earlier versions do not have. */
const OPTIONAL_LISTS: readonly ListName[] = ['toolkits', 'session_configs', 'sessions', 'settings']

/** Reads an exported file. @throws UsageError that names the field that is wrong */
export function parseProjectFile(text: string, name: string): ProjectFile {
  let file: Partial<ProjectFile>
  try {
    file = JSON.parse(text) as Partial<ProjectFile>
  } catch {
    throw invalid(name, 'it is not JSON')
  }
  if (file?.format !== FORMAT) throw invalid(name, `its format is not ${FORMAT}`)
  if (file.version !== VERSION) throw invalid(name, `its version is ${file.version}, not ${VERSION}`)
  for (const list of OPTIONAL_LISTS) file[list] ??= []
  for (const list of LISTS) {
    const items: unknown = file[list]
    if (!Array.isArray(items)) throw invalid(name, `${list} is not a list`)
    const wrong = items.findIndex((item) => typeof (item as SourceItem | null)?.id !== 'string')
    if (wrong >= 0) throw invalid(name, `${list}[${wrong}].id is not text`)
  }
  if (file.secrets !== undefined && !(Array.isArray(file.secrets) && file.secrets.every(isEnvelope)))
    throw invalid(name, 'secrets is not a list of encrypted pages')
  return file as ProjectFile
}

const isEnvelope = (value: unknown): boolean =>
  isObject(value) && ['salt', 'nonce', 'tag', 'ciphertext'].every((field) => typeof value[field] === 'string')

const invalid = (name: string, reason: string): UsageError =>
  new UsageError(
    `${name} is not an exported project: ${reason}.`,
    'Name a file that `patchbay export <file>` has written.',
  )
