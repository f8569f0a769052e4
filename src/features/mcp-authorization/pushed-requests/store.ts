import { runBatch } from '../../../platform/db/run-batch.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'
import { hashSecret, newSecret } from '../secrets.ts'

/** Requests of one network that wait for the browser. */
const REQUESTS_PER_NETWORK_MAX = 50
export const PUSHED_REQUEST_SECONDS = 90

export interface PushedRequest {
  /** Name and value of each parameter. */
  parameters: readonly (readonly [string, string])[]
  /** Thumbprint of the key that must redeem the code. */
  dpop_jkt: string | null
}

/** Stores a request and returns its secret. Returns undefined if its network has too many waiting ones. */
export async function insertPushedRequest(
  db: Db,
  clientId: string,
  { parameters, dpop_jkt: thumbprint }: PushedRequest,
  sourceHash: Buffer,
): Promise<string | undefined> {
  const secret = newSecret('pushedRequest')
  const inserted = await db.run(sql`
    insert into mcp_pushed_requests (request_hash, client_id, parameters, dpop_jkt, source_hash, expires_at)
    select ${hashSecret(secret)}, ${clientId}, ${JSON.stringify(parameters)}::jsonb, ${thumbprint}, ${sourceHash},
      now() + make_interval(secs => ${PUSHED_REQUEST_SECONDS})
    where (select count(*) from mcp_pushed_requests where source_hash = ${sourceHash} and expires_at > now())
      < ${REQUESTS_PER_NETWORK_MAX}`)
  return inserted > 0 ? secret : undefined
}

/** Uses a request of a client, once. */
export const claimPushedRequest = (
  db: Db,
  clientId: string,
  secret: string,
): Promise<PushedRequest | undefined> =>
  db.one(sql`
  delete from mcp_pushed_requests
  where request_hash = ${hashSecret(secret)} and client_id = ${clientId} and expires_at > now()
  returning parameters, dpop_jkt`)

/** Deletes expired requests. Returns whether there may be more. */
export const removeOldPushedRequests = (db: Db): Promise<boolean> =>
  runBatch(
    db,
    (limit) => sql`
    delete from mcp_pushed_requests where request_hash in (
      select request_hash from mcp_pushed_requests where expires_at < now()
      limit ${limit} for update skip locked)`,
  )
