import { type Encryptor, encryptorsOf, type ProjectEncryptor } from '../../../platform/crypto/index.ts'
import { type Db, type Sql, sql } from '../../../platform/db/sql.ts'
import { encryptResponse, EVENTS_NOTIFIED, PUBLISH_NEW_EVENTS } from '../../events/index.ts'

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

/**
 * Stores results in one statement: the attempts, the times of the next ones, and what follows for the subscriptions. An
 * attempt that another process has stored before, or whose subscription was deleted, changes nothing. Returns the
 * subscriptions that this disabled.
 */
export const storeResults = async (
  { db, encryptor }: { db: Db; encryptor: Encryptor },
  results: readonly DeliveryResult[],
): Promise<{ id: string; project_id: string; disabled_reason: string }[]> => {
  const encryptors = await encryptorsOf(
    encryptor,
    results.map(({ project_id: projectId }) => projectId),
  )
  return db.rows(resultsStatement(results.map((result) => toRow(encryptors.get(result.project_id), result))))
}

const resultsStatement = (rows: readonly ReturnType<typeof toRow>[]): Sql =>
  sql`
  with result as (
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
      id text, number int, delivered boolean, delay_s double precision, gone boolean, status int, latency_ms int,
      error text, response text, response_id text, encrypted_response text)
  ), changed as (
    update webhook_deliveries d
    set attempts = r.number, leased_until = null, next_at = now() + make_interval(secs => coalesce(r.delay_s, 0)),
      status = case when r.delivered then 'delivered' when r.delay_s is null then 'dead' else 'pending' end,
      finished_at = case when r.delivered or r.delay_s is null then now() end
    from result r where d.id = r.id and d.attempts = r.number - 1 and d.status = 'pending'
    returning d.subscription_id, r.*
  ), attempts as (
    insert into webhook_attempts (delivery_id, number, status, latency_ms, error, response, id, encrypted_response)
    select id, number, status, latency_ms, error, response, response_id, decode(encrypted_response, 'base64')
    from changed
  ), summary as (
    select subscription_id, bool_or(delivered) as reached, bool_or(gone) as gone from changed group by subscription_id
  ), judged as (
    select s.id, m.reached, case when m.gone then 'gone'
      when not m.reached and s.failing_since < now() - make_interval(days => ${FAILING_DAYS}::int) then 'failing'
      end as reason
    from summary m join webhook_subscriptions s on s.id = m.subscription_id
    where m.gone or not m.reached or s.failing_since is not null
    order by s.id for no key update of s
  ), marked as (
    update webhook_subscriptions s
    set failing_since = case when j.reached then null else coalesce(s.failing_since, now()) end,
      disabled_at = case when j.reason is null then s.disabled_at else coalesce(s.disabled_at, now()) end,
      disabled_reason = coalesce(s.disabled_reason, j.reason)
    from judged j where s.id = j.id
    returning s.id, s.project_id, s.disabled_at, s.disabled_reason, s.failing_since, j.reason
  ), disabled as (
    select * from marked where reason is not null and disabled_at = now()
  ), new_events as (
    select 'evt_' || left(replace(gen_random_uuid()::text, '-', ''), 24) as id, project_id, 'webhook.disabled' as type,
      jsonb_build_object('id', id, 'disabled_at', disabled_at, 'disabled_reason', disabled_reason,
        'failing_since', failing_since) as data,
      null::text as ordering_key, null::bytea as encrypted_payload, 1 as position
    from disabled
  ), ${PUBLISH_NEW_EVENTS}
  select id, project_id, disabled_reason, ${EVENTS_NOTIFIED} from disabled`

/** Without an encryptor, which an erased project does not have, the response is not stored. */
function toRow(
  encryptor: ProjectEncryptor | undefined,
  { project_id: _projectId, ...result }: DeliveryResult,
) {
  const { encrypted_response: encrypted, ...stored } = encryptor
    ? encryptResponse(encryptor, result)
    : { response: null, response_id: null, encrypted_response: null }
  return { ...result, ...stored, encrypted_response: encrypted?.toString('base64') ?? null }
}
