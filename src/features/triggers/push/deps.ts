import type { KeysAt } from '../../../auth-schemes/index.ts'
import type { CatalogOf } from '../../../catalog/index.ts'
import type { EngineAccounts, OpenTriggerRequests } from '../../../engine/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import type { Logger } from '../../../platform/log.ts'

/** What this feature needs of the rest of the program; app.ts supplies it. */
export interface HookDeps {
  db: Pool
  encryptor: Encryptor
  clock: Clock
  log: Logger
  catalogOf: CatalogOf
  publicUrl: string
  accounts: Pick<EngineAccounts, 'byId'>
  requests: OpenTriggerRequests
  keysAt: KeysAt
}
