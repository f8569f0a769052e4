import type { Pool } from '../../platform/db/sql.ts'
import type { Branding } from '../../platform/http/branding/branding.ts'

/** Dependencies of the feature, which the application wires. */
export interface EventDeps {
  db: Pool
  brand: Branding
}
