-- Who follows events reads them by seq, and must not pass one whose transaction has yet to commit. So whoever is about to take numbers holds a lock until its transaction
-- ends, and the lock's key says which numbers are certainly before its own: nothing above the lowest of them is settled.
create index events_in_order on events (project_id, seq);

-- Once a transaction, however many statements it has: locks are few.
create function hold_events_place() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('patchbay.events_held', true), '') = '' then
    perform pg_advisory_xact_lock_shared((20022::bigint << 48) + case when is_called then last_value else 0 end) from events_seq_seq;
    perform set_config('patchbay.events_held', 'yes', true);
  end if;
  return null;
end $$;
create trigger events_hold_place before insert on events for each statement execute function hold_events_place();

-- taken: the last number that was given away, read before the locks. settled: up to here nothing is under way any more; read events after it, with a snapshot of its own.
create function settled_events(out taken bigint, out settled bigint) language plpgsql as $$
begin
  select case when is_called then last_value else 0 end into taken from events_seq_seq;
  select least(taken, min((l.classid::bigint & 65535) << 32 | l.objid::bigint)) into settled from pg_locks l
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted and l.classid::bigint >> 16 = 20022 and l.database = (select oid from pg_database where datname = current_database());
end $$;

create or replace function fan_out_events() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (id, project_id, subscription_id, event_id, seq, ordering_key)
  select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), e.project_id, s.id, e.id, e.seq, e.ordering_key
  from added e join webhook_subscriptions s on s.project_id = e.project_id and s.disabled_at is null and 'service.' || e.type = any (s.enabled_events)
  order by e.seq
  for key share of s;
  if found then
    perform pg_notify('deliveries', '');
  end if;
  perform pg_notify('events', p.project_id) from (select distinct project_id from added) p;
  return null;
end $$;
