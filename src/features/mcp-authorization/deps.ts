import type { Pool } from '../../platform/db/sql.ts'
import type { Egress } from '../../platform/egress/index.ts'
import type { Authenticate, Principals } from '../../platform/http/call.ts'
import type { Logger } from '../../platform/log.ts'
import type { ResourceKind } from './resources.ts'

/** A project as its users and their clients meet it. */
export interface SignInProject {
  principal: Principals['project']
  name: string
  logoUrl: string | null
  /** Where the project says who sits at a browser; without one, links and keys say it. */
  signInUrl: string | null
}

export interface McpAuthDeps {
  db: Pool
  egress: Egress
  log: Logger
  publicUrl: string
  authenticate: Authenticate
  kinds: readonly ResourceKind[]
  project(projectId: string): Promise<SignInProject | undefined>
}
