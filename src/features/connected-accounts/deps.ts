import type { PageTheme } from './pages/templates/theme.ts'
import type { Catalog, ProjectScoped } from '../../catalog/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import type { Egress } from '../../platform/egress/index.ts'
import type { Logger } from '../../platform/log.ts'
import type { Tracing } from '../../platform/telemetry/index.ts'
import type { ManagedAuth } from '../auth-configs/index.ts'
import type { ProviderRequestLog } from './provider-log/request-log.ts'
import type { StatusChangeDeps } from './state-machine.ts'

/** Name, logo and settings of a project for the pages that its users see. */
export interface ProjectBranding {
  displayName: string | null
  logoUrl: string | null
  /** URL at which the application confirms its user before an account is connected. */
  verifierUrl: string | null
  /** Accent colour and links of the pages. */
  theme?: PageTheme
}

/** The dependencies that app/create-app.ts supplies; `bindToProject` makes `AccountDeps` from them. */
export type SharedAccountDeps = ProjectScoped<AccountDeps> & {
  /** The toolkits that every project sees. */
  instance(): Catalog
}

/** Dependencies of this feature in one project. */
export interface AccountDeps extends StatusChangeDeps {
  db: Pool
  encryptor: Encryptor
  catalog: Catalog
  egress: Egress
  clock: Clock
  log: Logger
  providerRequests: ProviderRequestLog
  publicUrl: string
  /** OAuth clients of the administrator. */
  managed: ManagedAuth
  /** The redirect URI for providers, unless an auth config has its own. */
  callbackUrl: string
  branding(projectId: string): Promise<ProjectBranding>
  /** Which authorization flows start with a page of this server: those of shared OAuth clients, or all. */
  consentPage: 'managed' | 'always'
  /** `on`: credentials are tried before they are stored. `request`: only with `validate_credentials`. */
  validateCredentials: 'on' | 'request'
  /** Records authorization flows and token refreshes as spans. */
  tracing?: Tracing | undefined
  /** Counts token refreshes. */
  countRefresh?(toolkit: string, outcome: 'success' | 'failure'): void
}
