import type { Db } from '../../../platform/db/sql.ts'
import { findContent } from './store.ts'

/** Reads the compressed content of a version from the database. */
export async function readCompressed(db: Db, digest: string): Promise<Buffer> {
  const bytes = await findContent(db, digest)
  if (!bytes) throw new Error(`The content ${digest} of a toolkit is not in the database.`)
  return bytes
}
