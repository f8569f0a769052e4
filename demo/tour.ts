import type { Pool } from '../src/platform/db/sql.ts'
import type { NodeRedPeer } from '../test/fixtures/real-applications/node-red.ts'
import type { OidcProviderPeer } from '../test/fixtures/real-applications/oidc-provider.ts'
import type { ParseServerPeer } from '../test/fixtures/real-applications/parse-server.ts'
import type { Api } from './api.ts'
import type { Stage } from './stage.ts'

/** What every chapter of the tour finds on the stage. */
export interface Tour {
  stage: Stage
  api: Api
  patchbay: { url: string; db: Pool }
  parse: ParseServerPeer
  nodeRed: NodeRedPeer
  provider: OidcProviderPeer
  accessTokenTtlSeconds: number
}

export type Chapter = (tour: Tour) => Promise<void>

/** The tour tells what happens; where something else happens than what it tells, it has to stop. */
export function expect(holds: boolean, promise: string, got?: unknown): void {
  if (!holds)
    throw new Error(
      `The tour promised: ${promise}${got === undefined ? '' : `\nWhat came instead: ${JSON.stringify(got)}`}`,
    )
}
