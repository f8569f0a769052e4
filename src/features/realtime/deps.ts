import type { Clock } from '../../platform/clock.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import type { Logger } from '../../platform/log.ts'
import type { EventStreams } from '../events/index.ts'
import type { ChannelGrant } from './grant.ts'

/** Dependencies of the feature, which the application wires. */
export interface RealtimeDeps {
  db: Pool
  encryptor: Encryptor
  clock: Clock
  log: Logger
  publicUrl: string
  streams: EventStreams
  /** Checks that the key still exists and may read triggers of the project. @throws ApiError if not */
  checkAccess(grant: ChannelGrant): Promise<void>
}
