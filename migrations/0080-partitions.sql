-- Tables that grow with use are partitioned by time, so that retention drops a partition instead of deleting its rows
-- (docs/decisions/0195-partitions-by-time.md). A schedule creates partitions ahead (src/platform/db/partitions/).

-- The partitions of all tables that are partitioned by time. Both times are null for a default partition. PostgreSQL
-- writes them in the format of the session: names of time zones can be ambiguous.
create function list_partitions() returns table (parent text, name text, starts_at timestamptz, ends_at timestamptz)
language sql stable set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
  select p.relname, c.relname,
    case when b.bound like 'FOR VALUES FROM (MINVALUE)%' then '-infinity'
      else substring(b.bound from $x$FROM \('([^']*)'\)$x$)::timestamptz end,
    substring(b.bound from $x$TO \('([^']*)'\)$x$)::timestamptz
  from pg_partitioned_table t join pg_class p on p.oid = t.partrelid
    join pg_inherits i on i.inhparent = p.oid join pg_class c on c.oid = i.inhrelid
    cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
  where t.partstrat = 'r' and p.relnamespace = current_schema()::regnamespace
$$;

-- Creates a partition and returns its name. Rows of its time that are in the default partition move into it. To attach
-- it takes a weaker lock of the table than `create table … partition of`, so that inserts continue; it has its indexes
-- before. Nobody but the owner may read a partition itself: row-level security is on, and has no policy.
create function create_partition(parent text, starts_at timestamptz, ends_at timestamptz)
returns text language plpgsql set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
declare
  begin_text text := case when not isfinite(starts_at) then 'older'
    when starts_at = date_trunc('day', starts_at) then to_char(starts_at, 'YYYYMMDD')
    else to_char(starts_at, 'YYYYMMDD_HH24MI') end;
  child text := parent || '_' || begin_text;
  bound text := case when isfinite(starts_at) then quote_literal(starts_at) else 'minvalue' end;
  time_column text := (
    select a.attname from pg_partitioned_table t
    join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
    where t.partrelid = parent::regclass);
begin
  -- Fill factor: the end of a call is written over its start on the same page (HOT), without index writes.
  execute format('create table %I (like %I including defaults including constraints including storage including indexes)
    with (fillfactor = %s)', child, parent, case parent when 'tool_executions' then 90 else 100 end);
  execute format('alter table %I enable row level security', child);
  execute format('with late as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *)
    insert into %5$I select * from late', parent || '_default', time_column, starts_at, ends_at, child);
  execute format('alter table %I attach partition %I for values from (%s) to (%L)', parent, child, bound, ends_at);
  return child;
end $$;

alter table tool_executions rename to old_executions;
alter table events rename to old_events;
alter table webhook_deliveries rename to old_deliveries;
alter table webhook_attempts rename to old_attempts;
alter table trigger_logs rename to old_trigger_logs;
alter table usage_hours rename to old_usage_hours;
alter table usage_days rename to old_usage_days;
-- Names of their indexes and constraints are used again below.
do $$
declare of_old record;
begin
  for of_old in
    select c.oid::regclass as name, 'old_' || c.relname as old_name, c.relkind from pg_class c
    where c.relnamespace = current_schema()::regnamespace
      and (c.oid in (select indexrelid from pg_index where indrelid in (
          'old_executions'::regclass, 'old_events'::regclass, 'old_deliveries'::regclass, 'old_attempts'::regclass,
          'old_trigger_logs'::regclass, 'old_usage_hours'::regclass, 'old_usage_days'::regclass))
        or c.relname in ('events_seq_seq', 'trigger_logs_seq_seq'))
  loop
    execute format('alter %s %s rename to %I', case of_old.relkind when 'S' then 'sequence' else 'index' end,
      of_old.name, of_old.old_name);
  end loop;
end $$;

-- Log of tool executions (0004). Columns of fixed length come first: they need no padding.
create table tool_executions (
  -- Begins with a minute (src/platform/ids.ts), so that new rows are at one place of the index.
  id text not null,
  created_at timestamptz not null default now(),
  request_bytes bigint,
  response_bytes bigint,
  status_code integer,
  duration_ms integer,
  requests integer,
  successful boolean,
  dry_run boolean not null default false,
  project_id text not null,
  tool_slug text not null,
  toolkit_slug text not null,
  version text not null,
  effect text,
  user_id text,
  connected_account_id text,
  auth_config_id text,
  session_id text,
  sandbox_id text,
  parent_id text,
  request_id text not null,
  source jsonb,
  timings jsonb,
  error text,
  encrypted_error bytea,
  payload bytea,
  -- A partitioned table has no unique key without its time. The start and the end of a call have the same created_at.
  primary key (id, created_at)
) partition by range (created_at);
alter table tool_executions alter column payload set storage external;
create index tool_executions_newest on tool_executions (project_id, created_at desc);
create index tool_executions_user on tool_executions (project_id, user_id, created_at desc) where user_id is not null;
create index tool_executions_tool on tool_executions (project_id, tool_slug, created_at desc);
create index tool_executions_account on tool_executions (project_id, connected_account_id, created_at desc)
  where connected_account_id is not null;
create index tool_executions_request on tool_executions (project_id, request_id);

-- Usage by hour (0035) and by day (0041). Their partitions are dropped together with those of tool_executions.
create table usage_hours (
  hour timestamptz not null,
  calls integer not null,
  failed integer not null,
  project_id text not null,
  dimension text not null constraint usage_hours_dimension_check check (dimension in (
    'total', 'toolkit_slug', 'tool_slug', 'auth_config_id', 'connected_account_id', 'user_id', 'session_id', 'status')),
  key text,
  user_id text,
  durations integer[],
  duration_calls integer[]
) partition by range (hour);
create index usage_hours_dimension on usage_hours (project_id, dimension, hour);
create table usage_days (
  day timestamptz not null,
  calls integer not null,
  failed integer not null,
  project_id text not null,
  dimension text not null constraint usage_days_dimension_check check (dimension in (
    'total', 'toolkit_slug', 'tool_slug', 'auth_config_id', 'connected_account_id', 'user_id', 'session_id', 'status')),
  key text,
  user_id text,
  durations integer[],
  duration_calls integer[]
) partition by range (day);
create index usage_days_dimension on usage_days (project_id, dimension, day);

-- Events (0008). An event with the id of an earlier one is not inserted: publishers of such ids look for it first,
-- while they hold a lock of the instance that both belong to (src/features/triggers/publish-trigger-events.ts).
create sequence events_seq_seq;
create table events (
  id text not null,
  created_at timestamptz not null default now(),
  seq bigint not null default nextval('events_seq_seq'),
  project_id text not null,
  type text not null,
  ordering_key text constraint events_ordering_key_check check (length(ordering_key) <= 200),
  -- Of events from before 0060, which encrypts it.
  data jsonb,
  encrypted_payload bytea,
  primary key (id, created_at)
) partition by range (created_at);
alter sequence events_seq_seq owned by events.seq;
create index events_newest on events (project_id, created_at desc);
create index events_by_seq on events (project_id, seq);
create trigger events_lock_sequence before insert on events
  for each statement execute function lock_event_sequence();

-- Deliveries (0008). Those that are pending are the queue, and change often: they have a small table of their own, from
-- which an update of the status moves them to the partition of their event's time. Finished ones are not changed.
create table webhook_deliveries (
  id text not null,
  event_created_at timestamptz not null,
  seq bigint not null,
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  leased_until timestamptz,
  attempts integer not null default 0,
  round_start integer not null default 0,
  status text not null default 'pending'
    constraint webhook_deliveries_status_check check (status in ('pending', 'delivered', 'dead')),
  project_id text not null,
  subscription_id text not null,
  event_id text not null,
  ordering_key text
) partition by list (status);
create table webhook_deliveries_pending partition of webhook_deliveries (
  primary key (id),
  constraint webhook_deliveries_pending_event unique (event_id, subscription_id)
) for values in ('pending') with (fillfactor = 70);
-- The time of an event follows from its id, so that the key still means: a subscription has an event once.
create table webhook_deliveries_finished partition of webhook_deliveries (
  constraint webhook_deliveries_finished_event unique (event_id, subscription_id, event_created_at)
) for values in ('delivered', 'dead') partition by range (event_created_at);
create index webhook_deliveries_due on webhook_deliveries_pending (subscription_id, next_at, seq);
create index webhook_deliveries_order on webhook_deliveries_pending (subscription_id, ordering_key, seq)
  where ordering_key is not null;
-- Dead deliveries are few: their indexes cost the others nothing.
create index webhook_deliveries_dead on webhook_deliveries_finished (project_id, finished_at) where status = 'dead';
create index webhook_deliveries_dead_events on webhook_deliveries_finished (project_id, event_created_at desc)
  where status = 'dead';
create index webhook_deliveries_newest on webhook_deliveries (subscription_id, created_at desc);

-- Attempts (0008), in the partition of their event's time.
create table webhook_attempts (
  delivery_id text not null,
  event_created_at timestamptz not null,
  ended_at timestamptz not null default now(),
  number integer not null,
  status integer,
  latency_ms integer not null,
  project_id text not null,
  error text,
  response text,
  encrypted_response bytea,
  encrypted_error bytea,
  primary key (delivery_id, number, event_created_at)
) partition by range (event_created_at);

-- The log of instances (0009). The row of an event has the created_at of the event: both are of one transaction.
create sequence trigger_logs_seq_seq;
create table trigger_logs (
  id text not null,
  created_at timestamptz not null default now(),
  seq bigint not null default nextval('trigger_logs_seq_seq'),
  project_id text not null,
  instance_id text not null,
  kind text not null
    constraint trigger_logs_kind_check check (kind in ('event', 'failure', 'gap', 'disabled', 'enabled')),
  event_id text,
  message text,
  encrypted_message bytea,
  primary key (id, created_at)
) partition by range (created_at);
alter sequence trigger_logs_seq_seq owned by trigger_logs.seq;
create index trigger_logs_newest on trigger_logs (project_id, seq desc);
create index trigger_logs_instance on trigger_logs (instance_id, seq desc);

select restrict_to_projects(name::regclass)
from unnest('{tool_executions, usage_hours, usage_days, events, webhook_deliveries, webhook_attempts,
  trigger_logs}'::text[]) name;
alter table webhook_deliveries_pending enable row level security;
alter table webhook_deliveries_finished enable row level security;

-- Partitions of a week, from Monday: of all rows of the last 60 days, and one ahead. Older rows have one partition. A week
-- is 168 hours: 7 days end at another hour of UTC if the clocks of the session's time zone change in between.
do $$
declare
  parent text;
  first_week timestamptz;
  this_week constant timestamptz := date_bin('7 days', now(), timestamptz '2024-01-01 00:00Z');
  oldest constant timestamptz := (select least(
    (select min(created_at) from old_executions), (select min(created_at) from old_events),
    (select min(created_at) from old_trigger_logs), (select min(hour) from old_usage_hours), now()));
begin
  first_week := greatest(date_bin('7 days', oldest, timestamptz '2024-01-01 00:00Z'), this_week - interval '1344 hours');
  foreach parent in array array['tool_executions', 'usage_hours', 'usage_days', 'events', 'webhook_deliveries_finished',
    'webhook_attempts', 'trigger_logs']
  loop
    execute format('create table %I partition of %I default', parent || '_default', parent);
    execute format('alter table %I enable row level security', parent || '_default');
    if oldest < first_week then perform create_partition(parent, '-infinity', first_week); end if;
    for n in 0 .. extract(days from this_week - first_week)::int / 7 + 1 loop
      perform create_partition(parent, first_week + n * interval '168 hours',
        first_week + (n + 1) * interval '168 hours');
    end loop;
  end loop;
end $$;

insert into tool_executions (id, created_at, request_bytes, response_bytes, status_code, duration_ms, requests,
  successful, dry_run, project_id, tool_slug, toolkit_slug, version, effect, user_id, connected_account_id,
  auth_config_id, session_id, sandbox_id, parent_id, request_id, source, timings, error, encrypted_error, payload)
select id, created_at, request_bytes, response_bytes, status_code, duration_ms, requests, successful,
  dry_run, project_id, tool_slug, toolkit_slug, version, effect, user_id, connected_account_id, auth_config_id,
  session_id, sandbox_id, parent_id, request_id, source, timings, error, encrypted_error, payload
from old_executions;
insert into usage_hours (hour, calls, failed, project_id, dimension, key, user_id, durations, duration_calls)
select hour, calls, failed, project_id, dimension, key, user_id, durations, duration_calls from old_usage_hours;
insert into usage_days (day, calls, failed, project_id, dimension, key, user_id, durations, duration_calls)
select day, calls, failed, project_id, dimension, key, user_id, durations, duration_calls from old_usage_days;
-- The trigger locks the sequence, which is that of the new table already.
alter table events disable trigger events_lock_sequence;
insert into events (id, created_at, seq, project_id, type, ordering_key, data, encrypted_payload)
select id, created_at, seq, project_id, type, ordering_key, data, encrypted_payload from old_events;
alter table events enable trigger events_lock_sequence;
insert into webhook_deliveries (id, event_created_at, seq, next_at, created_at, finished_at, leased_until, attempts,
  round_start, status, project_id, subscription_id, event_id, ordering_key)
select d.id, e.created_at, d.seq, d.next_at, d.created_at, d.finished_at, d.leased_until, d.attempts,
  d.round_start, d.status, d.project_id, d.subscription_id, d.event_id, d.ordering_key
from old_deliveries d join old_events e on e.id = d.event_id;
insert into webhook_attempts (delivery_id, event_created_at, ended_at, number, status, latency_ms, project_id, error,
  response, encrypted_response, encrypted_error)
select a.delivery_id, e.created_at, a.ended_at, a.number, a.status, a.latency_ms, d.project_id, a.error, a.response,
  a.encrypted_response, a.encrypted_error
from old_attempts a join old_deliveries d on d.id = a.delivery_id join old_events e on e.id = d.event_id;
insert into trigger_logs (id, created_at, seq, project_id, instance_id, kind, event_id, message, encrypted_message)
select id, created_at, seq, project_id, instance_id, kind, event_id, message, encrypted_message from old_trigger_logs;
select setval('events_seq_seq', last_value, is_called) from old_events_seq_seq;
select setval('trigger_logs_seq_seq', last_value, is_called) from old_trigger_logs_seq_seq;

drop table old_executions, old_usage_hours, old_usage_days, old_attempts, old_deliveries, old_trigger_logs, old_events;
-- Plans of statements would know nothing of the moved rows until the job of the night.
do $$ begin
  if exists (select from projects) then
    analyze tool_executions, usage_hours, usage_days, events, webhook_deliveries, webhook_attempts, trigger_logs;
  end if;
end $$;
