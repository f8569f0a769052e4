import { type Encryptor, encryptorsOf, type ProjectEncryptor } from '../../../platform/crypto/index.ts'
import { retryMovedRows } from '../../../platform/db/moved-rows.ts'
import { type Pool, type Sql, sql } from '../../../platform/db/sql.ts'
import { encryptOutcome, publishEvents } from '../../events/index.ts'

/** The result of one attempt. */
export interface DeliveryResult {
  id: string
  project_id: string
  /** The number of the attempt. */
  number: number
  delivered: boolean
  /** Seconds until the next attempt; null if there is none. */
  delay_s: number | null
  /** The receiver responded 410: its subscription is disabled. */
  gone: boolean
  status: number | null
  latency_ms: number
  error: string | null
  response: string | null
}

/** A subscription is disabled after so many days without one success. */
const FAILING_DAYS = 5

/** A subscription, and why it is disabled. */
interface Disabled {
  id: string
  project_id: string
  disabled_reason: 'gone' | 'failing'
}

/**
 * Stores results in one statement: the attempts, the times of the next ones, and what follows for the subscriptions. An
 * attempt that another process has stored before, or whose subscription was deleted, changes nothing. Returns the
 * subscriptions that this disabled.
 */
export async function storeResults(
  { db, encryptor }: { db: Pool; encryptor: Encryptor },
  results: readonly DeliveryResult[],
): Promise<Disabled[]> {
  const encryptors = await encryptorsOf(
    encryptor,
    results.map(({ project_id: projectId }) => projectId),
  )
  const rows = results.map((result) => toRow(encryptors.get(result.project_id), result))
  const disabled: Disabled[] = []
  for (const subscription of await retryMovedRows(() => db.rows<Disabled>(resultsStatement(rows))))
    if (await disableSubscription(db, subscription)) disabled.push(subscription)
  return disabled
}

const IS_FAILING = (since: Sql): Sql => sql`${since} < now() - make_interval(days => ${FAILING_DAYS}::int)`

/** Returns the subscriptions that have to be disabled. */
const resultsStatement = (rows: readonly ReturnType<typeof toRow>[]): Sql =>
  sql`
  with result as (
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
      id text, number int, delivered boolean, delay_s double precision, gone boolean, status int, latency_ms int,
      error text, response text, encrypted_response text, encrypted_error text)
  ), changed as (
    update webhook_deliveries d
    set attempts = r.number, leased_until = null, next_at = now() + make_interval(secs => coalesce(r.delay_s, 0)),
      status = case when r.delivered then 'delivered' when r.delay_s is null then 'dead' else 'pending' end,
      finished_at = case when r.delivered or r.delay_s is null then now() end
    from result r where d.id = r.id and d.attempts = r.number - 1 and d.status = 'pending'
    returning d.subscription_id, d.event_created_at, d.project_id, r.*
  ), attempts as (
    insert into webhook_attempts (delivery_id, event_created_at, number, project_id, status, latency_ms, error,
      response, encrypted_response, encrypted_error)
    select id, event_created_at, number, project_id, status, latency_ms, error, response,
      decode(encrypted_response, 'base64'), decode(encrypted_error, 'base64')
    from changed
  ), summary as (
    select subscription_id, bool_or(delivered) as reached, bool_or(gone) as gone from changed group by subscription_id
  ), judged as (
    select s.id, m.reached,
      case when m.gone then 'gone'
        when not m.reached and ${IS_FAILING(sql`s.failing_since`)} then 'failing' end as reason
    from summary m join webhook_subscriptions s on s.id = m.subscription_id
    where m.gone or not m.reached or s.failing_since is not null
    order by s.id for no key update of s
  ), marked as (
    update webhook_subscriptions s
    set failing_since = case when j.reached then null else coalesce(s.failing_since, now()) end
    from judged j where s.id = j.id
    returning s.id, s.project_id, s.disabled_at, j.reason
  )
  select id, project_id, reason as disabled_reason from marked where reason is not null and disabled_at is null`

/**
 * Disables a subscription and publishes it, in a transaction of its own: few attempts have this consequence. If the
 * process ends before it, the next attempt has the same consequence. Returns false if another process has done it, or
 * a delivery succeeded meanwhile.
 */
const disableSubscription = (
  db: Pool,
  { id, project_id: projectId, disabled_reason: reason }: Disabled,
): Promise<boolean> =>
  db.begin(async (tx) => {
    const row = await tx.one<{ disabled_at: Date; failing_since: Date | null }>(sql`
      update webhook_subscriptions set disabled_at = now(), disabled_reason = ${reason}
      where project_id = ${projectId} and id = ${id} and disabled_at is null
        and (${reason} = 'gone' or ${IS_FAILING(sql`failing_since`)})
      returning disabled_at, failing_since`)
    if (!row) return false
    const data = {
      id,
      disabled_at: row.disabled_at.toISOString(),
      disabled_reason: reason,
      failing_since: row.failing_since?.toISOString() ?? null,
    }
    await publishEvents(tx, projectId, [{ type: 'webhook.disabled', data, excludedSubscriptionId: id }])
    return true
  })

/** Without an encryptor, which an erased project does not have, the outcome is not stored. */
function toRow(
  encryptor: ProjectEncryptor | undefined,
  { project_id: _projectId, ...result }: DeliveryResult,
) {
  const {
    encrypted_response: response,
    encrypted_error: error,
    ...stored
  } = encryptor
    ? encryptOutcome(encryptor, result)
    : { response: null, error: null, encrypted_response: null, encrypted_error: null }
  return {
    ...result,
    ...stored,
    encrypted_response: response?.toString('base64') ?? null,
    encrypted_error: error?.toString('base64') ?? null,
  }
}
