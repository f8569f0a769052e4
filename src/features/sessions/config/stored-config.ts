import { columnEncryption } from '../../../platform/db/encrypted-value.ts'
import type { Db } from '../../../platform/db/sql.ts'
import type { SessionConfig } from './session-config.ts'

/** A configuration as a row has it. It has URLs of hooks and callbacks, which are often capabilities. */
export interface StoredConfig {
  /** Of rows from before configurations were encrypted. */
  config: SessionConfig | null
  encrypted_config: Buffer | null
}

const CONFIG = columnEncryption<SessionConfig>('sessions', 'config')
const FORMER_CONFIG = columnEncryption<SessionConfig>('session_configs', 'config')

/** Returns the columns that store a configuration. SQL joins the auth configs and accounts that it names. */
export const configColumns = (projectId: string, id: string, config: SessionConfig) => ({
  config: null,
  encrypted_config: CONFIG.encrypt(projectId, id, config),
  auth_config_ids: Object.values(config.auth_configs ?? {}),
  account_ids: Object.values(config.connected_accounts ?? {}).flat(),
})

/** Returns a row of a session with its configuration in clear. */
export function withConfig<Row extends StoredConfig & { id: string }>(
  db: Pick<Db, 'decrypt'>,
  { encrypted_config: encrypted, config, ...row }: Row,
): Omit<Row, keyof StoredConfig> & { config: SessionConfig } {
  return { ...row, config: CONFIG.read(db, row.id, encrypted, config) as SessionConfig }
}

/** Returns the row that stores a former configuration of a session. */
export function formerConfigRow(
  projectId: string,
  sessionId: string,
  { config, config_version: version }: { config: SessionConfig; config_version: number },
) {
  const id = `${sessionId}.${version}`
  return {
    id,
    session_id: sessionId,
    version,
    encrypted_config: FORMER_CONFIG.encrypt(projectId, id, config),
  }
}

/** Returns a row of a former configuration in clear. */
export function withFormerConfig<Row extends StoredConfig & { id: string }>(
  db: Pick<Db, 'decrypt'>,
  { encrypted_config: encrypted, config, id, ...row }: Row,
): Omit<Row, keyof StoredConfig | 'id'> & { config: SessionConfig } {
  return { ...row, config: FORMER_CONFIG.read(db, id, encrypted, config) as SessionConfig }
}
