import type { Clock } from '../../platform/clock.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import type { Egress } from '../../platform/egress/index.ts'
import type { Authenticate, Principals } from '../../platform/http/call.ts'
import type { Logger } from '../../platform/log.ts'
import type { ProjectProviders } from './openid/providers.ts'
import type { ProofNonces } from './proofs/proof-nonces.ts'
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
  encryptor: Encryptor
  clock: Clock
  nonces: ProofNonces
  /** The OpenID providers at which users of projects sign in. */
  providers: ProjectProviders
  log: Logger
  publicUrl: string
  authenticate: Authenticate
  resourceKinds: readonly ResourceKind[]
  findProject(projectId: string): Promise<SignInProject | undefined>
}
