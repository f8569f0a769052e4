-- Events: written in the transaction of the change, delivered later. `data` never holds a secret.
create table events (
  id text primary key,
  project_id text not null references projects,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  -- The order of events.
  seq bigint generated always as identity,
  -- Events with the same key are delivered in the order of seq.
  ordering_key text check (length(ordering_key) <= 200),
  -- What an application sent. It is joined to `data` on delivery.
  encrypted_payload bytea
);
create index events_newest on events (project_id, created_at desc, id);
create index events_by_seq on events (project_id, seq);

-- Readers of the event stream read by seq, and must not pass an event whose transaction has not committed. A transaction
-- that is about to take sequence numbers therefore holds a shared advisory lock until it ends. The key of the lock is
-- the last number before its own: nothing above the lowest key is settled. One lock a transaction, because locks are few.
create function lock_event_sequence() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('patchbay.event_sequence_locked', true), '') = '' then
    perform pg_advisory_xact_lock_shared((20022::bigint << 48) + case when is_called then last_value else 0 end)
    from events_seq_seq;
    perform set_config('patchbay.event_sequence_locked', 'yes', true);
  end if;
  return null;
end $$;
create trigger events_lock_sequence before insert on events
  for each statement execute function lock_event_sequence();

-- last_seq: the last number that was taken, read before the locks. settled_seq: no transaction with a number up to here
-- is open. Read events up to settled_seq in a later statement, with a snapshot of its own.
create function settled_events(out last_seq bigint, out settled_seq bigint) language plpgsql as $$
begin
  select case when is_called then last_value else 0 end into last_seq from events_seq_seq;
  select least(last_seq, min((l.classid::bigint & 65535) << 32 | l.objid::bigint)) into settled_seq from pg_locks l
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted and l.classid::bigint >> 16 = 20022
    and l.database = (select oid from pg_database where datname = current_database());
end $$;

-- The URLs to which events of a project are delivered. A replaced secret also signs until former_until, so that
-- receivers have time to change.
create table webhook_subscriptions (
  id text primary key,
  project_id text not null references projects,
  webhook_url text not null check (length(webhook_url) <= 2048),
  version text not null check (version in ('V1', 'V2', 'V3')),
  enabled_events text[] not null check (cardinality(enabled_events) between 1 and 100),
  secret bytea not null,
  former_secret bytea,
  former_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Every attempt since then failed.
  failing_since timestamptz,
  -- A disabled subscription receives nothing until it is updated or a test event succeeds.
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('failing', 'gone')),
  -- Limits of the receiver: concurrent requests of each server process, and requests a second of all of them.
  max_at_once integer not null default 32 check (max_at_once between 1 and 256),
  max_per_second integer check (max_per_second between 1 and 10000),
  -- max_per_second is used up until then.
  throttled_until timestamptz,
  check ((former_secret is null) = (former_until is null)),
  check ((disabled_at is null) = (disabled_reason is null))
);
-- A URL receives an event once.
create unique index webhook_subscriptions_url on webhook_subscriptions (project_id, webhook_url);
create index webhook_subscriptions_oldest on webhook_subscriptions (project_id, created_at, id);

-- One event for one subscription. The table is also the queue of deliveries. A claim sets leased_until, which no index
-- has: with the fill factor the new version of the row stays on its page (HOT) and no index is written.
create table webhook_deliveries (
  id text primary key,
  project_id text not null references projects,
  subscription_id text not null references webhook_subscriptions on delete cascade,
  event_id text not null references events on delete cascade,
  seq bigint not null,
  ordering_key text,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  -- Attempts before this round: a redelivery restarts the retry schedule.
  round_start integer not null default 0,
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  leased_until timestamptz,
  unique (subscription_id, event_id)
) with (fillfactor = 70);
create index webhook_deliveries_due on webhook_deliveries (subscription_id, next_at, seq) where status = 'pending';
create index webhook_deliveries_order on webhook_deliveries (subscription_id, ordering_key, seq)
  where status = 'pending' and ordering_key is not null;
create index webhook_deliveries_event on webhook_deliveries (event_id);

-- Responses of receivers: status, latency and the first 2 KB. There is no foreign key: the statement that inserts an
-- attempt locks its delivery, so a check would only cost time. Attempts are deleted before their deliveries.
create table webhook_attempts (
  delivery_id text not null,
  number integer not null,
  ended_at timestamptz not null default now(),
  status integer,
  latency_ms integer not null,
  error text,
  response text,
  primary key (delivery_id, number)
);
