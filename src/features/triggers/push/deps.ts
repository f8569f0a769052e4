import type { JwksFetcher } from '../../../auth-schemes/index.ts'
import type { CatalogOf } from '../../../catalog/index.ts'
import type { EngineAccounts, OpenTriggerRequests } from '../../../engine/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import type { Logger } from '../../../platform/log.ts'

/** Dependencies of webhook triggers, which the application wires. */
export interface PushDeps {
  db: Pool
  encryptor: Encryptor
  clock: Clock
  log: Logger
  catalogOf: CatalogOf
  publicUrl: string
  accounts: Pick<EngineAccounts, 'findById'>
  requests: OpenTriggerRequests
  fetchJwks: JwksFetcher
}
