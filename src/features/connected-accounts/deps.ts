import type { Catalog, Shared } from '../../catalog/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import type { Egress } from '../../platform/egress/index.ts'
import type { Logger } from '../../platform/log.ts'
import type { ManagedAuth } from '../auth-configs/index.ts'
import type { ExchangeLog } from './exchanges.ts'

/** How the project presents itself to its users. */
export interface Branding {
  displayName: string | null
  logoUrl: string | null
  /** Where the application says who its user is, before a connection counts. */ verifierUrl: string | null
}

/** As app.ts supplies it; `inProject` makes `AccountDeps` of it. */
export type SharedAccountDeps = Shared<AccountDeps> & { /** What every project sees. */ instance(): Catalog }

/** What this feature needs of the rest of the program, for one project. */
export interface AccountDeps {
  db: Pool
  encryptor: Encryptor
  catalog: Catalog
  egress: Egress
  clock: Clock
  log: Logger
  exchanges: ExchangeLog
  publicUrl: string
  /** Credentials of the operator. */
  managed: ManagedAuth
  /** Where providers send browsers back to, unless an auth config says otherwise. */
  callbackUrl: string
  branding(projectId: string): Promise<Branding>
}
