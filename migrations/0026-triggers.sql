-- What users listen to: a trigger type, an account, a configuration. Deleted ones stay, so that logs can name them.
-- disabled_reason: 'user', or why the server did it; one that begins with 'connection_' ends when the account is ACTIVE again.
create table trigger_instances (
  id text primary key,
  uuid uuid not null default gen_random_uuid(),
  project_id text not null references projects,
  connected_account_id text not null references connected_accounts,
  toolkit_slug text not null,
  trigger_slug text not null,
  -- 'latest', or the release that was asked for
  version text not null,
  config jsonb not null,
  config_hash text not null,
  disabled_at timestamptz,
  disabled_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  check ((disabled_at is null) = (disabled_reason is null))
);
create unique index trigger_instances_uuid on trigger_instances (uuid);
create unique index trigger_instances_same on trigger_instances (connected_account_id, trigger_slug, config_hash) where deleted_at is null;
create index trigger_instances_newest on trigger_instances (project_id, created_at desc, id) where deleted_at is null;
create index trigger_instances_of_toolkit on trigger_instances (project_id, toolkit_slug) where deleted_at is null;

-- How an instance that polls stands. next_run is the queue at once: who takes a row moves it behind the longest poll and counts claim up, and only who has
-- the latest claim may write down what came of it. Null: it is not polled.
create table trigger_polls (
  instance_id text primary key references trigger_instances on delete cascade,
  project_id text not null references projects,
  next_run timestamptz,
  claim bigint not null default 0,
  -- cursor, moment and digests of what was seen; sealed, as cursors may name what they lead to
  state bytea,
  -- the pause between polls as it is now, in seconds
  pause_s integer not null,
  last_run timestamptz,
  last_ok timestamptz,
  failures integer not null default 0,
  failing_since timestamptz
) with (fillfactor = 70);
create index trigger_polls_due on trigger_polls (project_id, next_run) where next_run is not null;

-- What happened to an instance: events that were told, and everything else that somebody may want to know of. kind: event, failure, gap, disabled, enabled.
create table trigger_logs (
  id text primary key,
  project_id text not null references projects,
  instance_id text not null references trigger_instances,
  kind text not null check (kind in ('event', 'failure', 'gap', 'disabled', 'enabled')),
  event_id text references events on delete cascade,
  message text,
  created_at timestamptz not null default now()
);
create index trigger_logs_newest on trigger_logs (project_id, created_at desc, id);
create index trigger_logs_of_event on trigger_logs (event_id) where event_id is not null;
create index trigger_logs_of_instance on trigger_logs (instance_id, created_at desc);

-- Whoever switches an instance, what follows is in the same transaction: it is polled or not, its log says so, and an event tells of what the server did by itself.
create function follow_trigger_instance() returns trigger language plpgsql as $$
declare
  enabled boolean := new.disabled_at is null and new.deleted_at is null;
begin
  if new.deleted_at is not null then
    delete from trigger_polls where instance_id = new.id;
    return null;
  end if;
  update trigger_polls set next_run = case when enabled then now() end, claim = claim + 1, failures = 0, failing_since = null where instance_id = new.id;
  insert into trigger_logs (id, project_id, instance_id, kind, message)
  values ('log_' || left(replace(gen_random_uuid()::text, '-', ''), 24), new.project_id, new.id, case when enabled then 'enabled' else 'disabled' end, coalesce(new.disabled_reason, old.disabled_reason));
  if new.disabled_reason in ('connection_expired', 'subscription_auth_failure', 'subscription_refresh_failure', 'polling_failure_in_service_infra') then
    insert into events (id, project_id, type, data)
    select 'evt_' || left(replace(gen_random_uuid()::text, '-', ''), 24), new.project_id, 'trigger.disabled', jsonb_build_object(
      'id', new.id, 'connected_account_id', new.connected_account_id, 'trigger_name', new.trigger_slug, 'user_id', c.user_id, 'trigger_config', new.config,
      'disabled_at', to_char(new.disabled_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'disabled_reason', new.disabled_reason)
    from connected_accounts c where c.id = new.connected_account_id;
  end if;
  return null;
end $$;
create trigger trigger_instances_followed after update of disabled_at, deleted_at on trigger_instances for each row
  when ((old.disabled_at is null) is distinct from (new.disabled_at is null) or old.deleted_at is distinct from new.deleted_at) execute function follow_trigger_instance();

-- Triggers stand and fall with their account: an account that cannot be used disables them, and enables those again that it disabled.
create function follow_account() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    update trigger_instances set deleted_at = now(), updated_at = now() where connected_account_id = new.id and deleted_at is null;
  elsif new.status = 'ACTIVE' then
    update trigger_instances set disabled_at = null, disabled_reason = null, updated_at = now()
    where connected_account_id = new.id and deleted_at is null and starts_with(disabled_reason, 'connection_');
  elsif old.status = 'ACTIVE' then
    update trigger_instances set disabled_at = now(), disabled_reason = 'connection_' || lower(new.status), updated_at = now()
    where connected_account_id = new.id and deleted_at is null and disabled_at is null;
  end if;
  return null;
end $$;
create trigger connected_accounts_followed after update of status, deleted_at on connected_accounts for each row
  when (old.status is distinct from new.status or old.deleted_at is distinct from new.deleted_at) execute function follow_account();
