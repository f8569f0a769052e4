import { type Sql, sql } from '../../platform/db/sql.ts'

/**
 * The rule that creates deliveries: one for each row of `published_events` and each enabled subscription of its project
 * that has the type of the event enabled. A subscription that `new_events` excludes does not receive the event.
 * The key share lock leaves out subscriptions that are deleted at the same moment; updates of them may continue.
 */
export const FAN_OUT: Sql = sql`
      insert into webhook_deliveries (id, project_id, subscription_id, event_id, event_created_at, seq, ordering_key)
      select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), e.project_id, s.id, e.id, e.created_at, e.seq,
        e.ordering_key
      from published_events e
      join lateral (select excluded_subscription from new_events where id = e.id limit 1) n on true
      join webhook_subscriptions s on s.project_id = e.project_id and s.disabled_at is null
        and 'service.' || e.type = any (s.enabled_events)
        and s.id is distinct from n.excluded_subscription
      order by e.seq
      for key share of s
      returning 1`
