import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Secrets } from './masking.ts'
import type { AuthConfigRow } from './store.ts'

export interface ProxyConfig {
  proxy_url: string
  proxy_auth_key?: string
}

export type EncryptedColumn = keyof Pick<AuthConfigRow, 'credentials' | 'shared_credentials' | 'proxy_config'>

/** Encryption context of a column; a value can be decrypted only with the same context. */
export const encryptionContext = (id: string, column: EncryptedColumn) => `auth_configs:${id}:${column}`

/** Decrypts the encrypted columns of a row. */
export function decryptConfig(
  encryptor: Encryptor,
  row: Pick<AuthConfigRow, 'id' | 'credentials' | 'shared_credentials' | 'proxy_config'>,
) {
  return {
    credentials: row.credentials
      ? encryptor.decrypt<Secrets>(row.credentials, encryptionContext(row.id, 'credentials'))
      : {},
    shared: row.shared_credentials
      ? encryptor.decrypt<Secrets>(row.shared_credentials, encryptionContext(row.id, 'shared_credentials'))
      : {},
    proxy: row.proxy_config
      ? encryptor.decrypt<ProxyConfig>(row.proxy_config, encryptionContext(row.id, 'proxy_config'))
      : undefined,
  }
}
