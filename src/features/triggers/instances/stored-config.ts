import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../catalog/importers/versions/canonical-json.ts'
import { columnEncryption, KeyedHash } from '../../../platform/db/encrypted-value.ts'
import type { Db } from '../../../platform/db/sql.ts'

type Config = Record<string, unknown>

/** The configuration of an instance as its row has it. It names channels, searches and people. */
export interface StoredConfig {
  id: string
  /** Of instances from before configurations were encrypted. */
  config: Config | null
  encrypted_config: Buffer | null
}

const CONFIG = columnEncryption<Config>('trigger_instances', 'config')

/** Returns the columns that store a configuration. SQL reads the interval of polls, which is a column of its own. */
export const configColumns = (projectId: string, id: string, config: Config) => ({
  encrypted_config: CONFIG.encrypt(projectId, id, config),
  interval_minutes: typeof config['interval'] === 'number' ? config['interval'] : null,
})

/** Returns a row with its configuration in clear. */
export function withConfig<Row extends StoredConfig>(
  db: Pick<Db, 'decrypt'>,
  { encrypted_config: encrypted, config, ...row }: Row,
): Omit<Row, 'config' | 'encrypted_config'> & { config: Config } {
  return { ...row, config: CONFIG.read(db, row.id, encrypted, config) as Config }
}

/** What makes two instances equal. */
export interface InstanceIdentity {
  connected_account_id: string
  trigger_slug: string
  config: Config
}

/** The value of `config_hash`: a unique index finds the equal instance by it. */
export const configHash = (
  projectId: string,
  { connected_account_id: accountId, trigger_slug: slug, config }: InstanceIdentity,
): KeyedHash =>
  new KeyedHash(projectId, 'trigger_instances:config', `${accountId}:${slug}:${canonicalJson(config)}`)

/** The value of `config_hash` of an instance that another one is equal to, so that it is never found. */
export const duplicateHash = (projectId: string, id: string): KeyedHash =>
  new KeyedHash(projectId, 'trigger_instances:id', id)

/** The value of `config_hash` of instances whose configuration is not encrypted. */
export const clearConfigHash = (config: Config): string =>
  createHash('sha256').update(canonicalJson(config)).digest('hex')
