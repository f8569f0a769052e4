-- seq: the order in which events were told. ordering_key: events that share it are delivered in that order. sealed: what an application sent.
alter table events add column seq bigint generated always as identity;
alter table events add column ordering_key text check (length(ordering_key) <= 200);
alter table events add column sealed bytea;

-- failing_since: every answer since then was a failure. A disabled subscription gets nothing until it is changed, or a test event reaches it.
alter table webhook_subscriptions add column failing_since timestamptz;
alter table webhook_subscriptions add column disabled_at timestamptz;
alter table webhook_subscriptions add column disabled_reason text check (disabled_reason in ('failing', 'gone'));
alter table webhook_subscriptions add check ((disabled_at is null) = (disabled_reason is null));

-- One event for one subscription, and the queue of them at once. Who takes a row moves next_at behind the longest attempt: if the process dies, it is due again then.
create table webhook_deliveries (
  id text primary key,
  project_id text not null references projects,
  subscription_id text not null references webhook_subscriptions on delete cascade,
  event_id text not null references events on delete cascade,
  seq bigint not null,
  ordering_key text,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  -- attempts before this round of them: a replay begins the schedule anew
  round_start integer not null default 0,
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (subscription_id, event_id)
);
create index webhook_deliveries_due on webhook_deliveries (subscription_id, next_at, seq) where status = 'pending';
create index webhook_deliveries_order on webhook_deliveries (subscription_id, ordering_key, seq) where status = 'pending' and ordering_key is not null;
create index webhook_deliveries_of_event on webhook_deliveries (event_id);

-- What a receiver answered: status, how long it took, the first 2 KB.
create table webhook_attempts (
  delivery_id text not null references webhook_deliveries on delete cascade,
  number integer not null,
  ended_at timestamptz not null default now(),
  status integer,
  latency_ms integer not null,
  error text,
  answer text,
  primary key (delivery_id, number)
);

-- An event and its deliveries are one statement, whoever tells it. A subscription that is deleted at the same moment is left out.
create function fan_out_events() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (id, project_id, subscription_id, event_id, seq, ordering_key)
  select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), e.project_id, s.id, e.id, e.seq, e.ordering_key
  from added e join webhook_subscriptions s on s.project_id = e.project_id and s.disabled_at is null and 'service.' || e.type = any (s.enabled_events)
  order by e.seq
  for key share of s;
  if found then
    perform pg_notify('deliveries', '');
  end if;
  return null;
end $$;
create trigger events_fan_out after insert on events referencing new table as added for each statement execute function fan_out_events();
