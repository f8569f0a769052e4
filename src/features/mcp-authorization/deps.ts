import type { Pool } from '../../platform/db/sql.ts'
import type { Egress } from '../../platform/egress/index.ts'
import type { Authenticate, Principals } from '../../platform/http/call.ts'
import type { Logger } from '../../platform/log.ts'
import type { ResourceKind } from './resources.ts'

/** The properties of a project that authorization needs. */
export interface SignInProject {
  principal: Principals['project']
  name: string
  logoUrl: string | null
  /** The page on which the project authenticates its users. Null: users sign in with a link or a project key. */
  signInUrl: string | null
}

export interface McpAuthorizationDeps {
  db: Pool
  egress: Egress
  log: Logger
  publicUrl: string
  authenticate: Authenticate
  resourceKinds: readonly ResourceKind[]
  findProject(projectId: string): Promise<SignInProject | undefined>
}
