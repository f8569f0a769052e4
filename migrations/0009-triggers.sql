-- Trigger instances: a trigger type for one account with one configuration. Deleted instances keep their row, so that
-- logs can show their names.
create table trigger_instances (
  id text primary key,
  uuid uuid not null default gen_random_uuid(),
  project_id text not null references projects,
  connected_account_id text not null references connected_accounts,
  toolkit_slug text not null,
  trigger_slug text not null,
  -- 'latest', or the requested version.
  version text not null,
  config jsonb not null,
  config_hash text not null,
  -- How a webhook trigger receives events: at the URL of the instance, or at that of an OAuth app. Null: it polls.
  delivery_mode text check (delivery_mode in ('instance', 'app')),
  -- Digest of the id that the application uses for the account in deliveries of an OAuth app.
  account_key text,
  disabled_at timestamptz,
  -- 'user', or why the server disabled it. A reason that starts with 'connection_' ends when the account is ACTIVE again.
  disabled_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  check ((disabled_at is null) = (disabled_reason is null))
);
create unique index trigger_instances_uuid on trigger_instances (uuid);
create unique index trigger_instances_same on trigger_instances (connected_account_id, trigger_slug, config_hash)
  where deleted_at is null;
create index trigger_instances_newest on trigger_instances (project_id, created_at desc, id) where deleted_at is null;
create index trigger_instances_toolkit on trigger_instances (project_id, toolkit_slug) where deleted_at is null;
create index trigger_instances_app on trigger_instances (project_id, toolkit_slug, account_key)
  where delivery_mode = 'app' and disabled_at is null and deleted_at is null;

-- The state of polling instances; also the queue of polls. A claim moves next_run past the longest poll and increments
-- claim: only the process with the latest claim may write its result. next_run is null while the instance is disabled.
create table trigger_polls (
  instance_id text primary key references trigger_instances on delete cascade,
  project_id text not null references projects,
  next_run timestamptz,
  claim bigint not null default 0,
  -- Cursor, time and digests of seen items. Encrypted, because cursors can contain data of the application.
  state bytea,
  -- The current time between polls.
  interval_seconds integer not null,
  last_run timestamptz,
  last_ok timestamptz,
  failures integer not null default 0,
  failing_since timestamptz
) with (fillfactor = 70);
create index trigger_polls_due on trigger_polls (project_id, next_run) where next_run is not null;

-- The log of an instance: published events, failures, gaps (items that may be missing), and changes of its state.
create table trigger_logs (
  id text primary key,
  project_id text not null references projects,
  instance_id text not null references trigger_instances,
  kind text not null check (kind in ('event', 'failure', 'gap', 'disabled', 'enabled')),
  event_id text references events on delete cascade,
  message text,
  created_at timestamptz not null default now(),
  -- The order of rows: those of one poll have the same created_at.
  seq bigint generated always as identity
);
create index trigger_logs_newest on trigger_logs (project_id, seq desc);
create index trigger_logs_event on trigger_logs (event_id) where event_id is not null;
create index trigger_logs_instance on trigger_logs (instance_id, created_at desc);

-- URLs at which an application delivers the events of all accounts of one OAuth app. client_id is null for any app.
create table webhook_endpoints (
  id text primary key,
  project_id text not null references projects,
  toolkit_slug text not null,
  client_id text,
  -- Encrypted: the setup fields that the application shows, and those that it sent itself.
  data bytea,
  -- When the first delivery with a valid signature came.
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index webhook_endpoints_same on webhook_endpoints (project_id, toolkit_slug, coalesce(client_id, ''));

-- URLs of single instances that are registered at applications. The row exists before the registration request, since
-- the application may call the URL before it responds; the instance is created after that, so there is no foreign key.
create table trigger_registrations (
  -- The random part of the URL.
  url_token text primary key,
  project_id text not null references projects,
  instance_id text not null,
  connected_account_id text not null references connected_accounts,
  toolkit_slug text not null,
  trigger_slug text not null,
  version text not null,
  -- Encrypted: the secret and the response of the application.
  state bytea not null,
  registered_at timestamptz,
  expires_at timestamptz,
  renew_at timestamptz,
  created_at timestamptz not null default now()
);
create index trigger_registrations_instance on trigger_registrations (instance_id);
create index trigger_registrations_renewal on trigger_registrations (renew_at) where renew_at is not null;
