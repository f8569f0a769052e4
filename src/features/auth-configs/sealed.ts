import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Secrets } from './masking.ts'
import type { AuthConfigRow } from './store.ts'

export interface ProxyConfig {
  proxy_url: string
  proxy_auth_key?: string
}

export type SealedColumn = keyof Pick<AuthConfigRow, 'credentials' | 'shared_credentials' | 'proxy_config'>

/** The place a sealed value belongs to; it opens nowhere else. */
export const contextOf = (id: string, column: SealedColumn) => `auth_configs:${id}:${column}`

/** The sealed columns of a row, opened. */
export function openConfig(
  encryptor: Encryptor,
  row: Pick<AuthConfigRow, 'id' | 'credentials' | 'shared_credentials' | 'proxy_config'>,
) {
  return {
    credentials: row.credentials
      ? encryptor.decrypt<Secrets>(row.credentials, contextOf(row.id, 'credentials'))
      : {},
    shared: row.shared_credentials
      ? encryptor.decrypt<Secrets>(row.shared_credentials, contextOf(row.id, 'shared_credentials'))
      : {},
    proxy: row.proxy_config
      ? encryptor.decrypt<ProxyConfig>(row.proxy_config, contextOf(row.id, 'proxy_config'))
      : undefined,
  }
}
