-- Organizations own projects; a project owns everything else. Every table of a project has project_id first in its keys.
create table organizations (
  id text primary key,
  name text not null,
  plan text not null default 'SELF_HOSTED',
  created_at timestamptz not null default now()
);

create table projects (
  id text primary key,
  auto_id bigint generated always as identity,
  uuid uuid not null default gen_random_uuid(),
  organization_id text not null references organizations,
  name text not null,
  config jsonb not null default '{}',
  triggers_enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index projects_name on projects (organization_id, name) where deleted_at is null;
create index projects_newest on projects (organization_id, created_at desc, id) where deleted_at is null;

-- Looked up by hash; sealed beside it for the one read that shows a project its keys.
create table api_keys (
  id text primary key,
  auto_id bigint generated always as identity,
  uuid uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('project', 'organization')),
  organization_id text not null references organizations,
  project_id text references projects,
  name text not null,
  key_hash bytea not null,
  key_sealed bytea not null,
  permissions jsonb,
  allowed_ips text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  check ((kind = 'project') = (project_id is not null))
);
create unique index api_keys_hash on api_keys (key_hash);
create index api_keys_project on api_keys (project_id, created_at, id) where deleted_at is null;

create table auth_configs (
  id text primary key,
  uuid uuid not null default gen_random_uuid(),
  project_id text not null references projects,
  toolkit_slug text not null,
  type text not null check (type in ('default', 'custom')),
  name text not null,
  auth_scheme text not null,
  is_service_managed boolean not null,
  -- null where the scheme asks the developer for nothing
  credentials bytea,
  shared_credentials bytea,
  proxy_config bytea,
  status text not null default 'ENABLED' check (status in ('ENABLED', 'DISABLED')),
  created_by text not null,
  tools_for_connected_account_creation text[] not null default '{}',
  tools_available_for_execution text[] not null default '{}',
  is_enabled_for_tool_router boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index auth_configs_newest on auth_configs (project_id, created_at desc, id) where deleted_at is null;
create unique index auth_configs_uuid on auth_configs (uuid);

create table connected_accounts (
  id text primary key,
  uuid uuid not null default gen_random_uuid(),
  word_id text not null,
  alias text,
  project_id text not null references projects,
  user_id text not null,
  auth_config_id text not null references auth_configs,
  toolkit_slug text not null,
  auth_scheme text not null,
  status text not null check (status in ('INITIALIZING', 'INITIATED', 'ACTIVE', 'FAILED', 'EXPIRED', 'INACTIVE', 'REVOKED')),
  status_reason text,
  -- what connectionData.val holds, without its status
  val bytea not null,
  -- counts every write of val: who refreshed an older one may not overwrite a newer one
  val_version integer not null default 1,
  token_expires_at timestamptz,
  refresh_lease text,
  refresh_lease_until timestamptz,
  auth_failures integer not null default 0,
  requested_scopes text[] not null default '{}',
  requested_user_scopes text[] not null default '{}',
  callback_url text,
  account_type text not null default 'PRIVATE' check (account_type in ('PRIVATE', 'SHARED')),
  acl jsonb,
  connected_at timestamptz,
  setup_expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index connected_accounts_newest on connected_accounts (project_id, created_at desc, id) where deleted_at is null;
create index connected_accounts_pick on connected_accounts (project_id, user_id, toolkit_slug, connected_at desc, id) where deleted_at is null and status = 'ACTIVE';
create unique index connected_accounts_alias on connected_accounts (project_id, user_id, toolkit_slug, alias) where deleted_at is null and alias is not null;
create unique index connected_accounts_uuid on connected_accounts (uuid);
create index connected_accounts_of_config on connected_accounts (auth_config_id) where deleted_at is null;
create index connected_accounts_setups on connected_accounts (setup_expires_at) where setup_expires_at is not null and deleted_at is null;

-- One walk of a browser to a provider and back. The state is kept as a hash, its secrets (PKCE verifier) sealed; used at most once.
create table connection_flows (
  state_hash bytea primary key,
  short_id text not null unique,
  project_id text not null references projects,
  connected_account_id text not null references connected_accounts,
  secrets bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index connection_flows_of_account on connection_flows (connected_account_id);
create index connection_flows_expired on connection_flows (expires_at);

create table tool_executions (
  id text primary key,
  project_id text not null,
  tool_slug text not null,
  toolkit_slug text not null,
  version text not null,
  user_id text,
  connected_account_id text,
  auth_config_id text,
  request_id text not null,
  successful boolean not null,
  status_code integer,
  error text,
  duration_ms integer not null,
  source jsonb,
  -- arguments and result, sealed; null under dont_store_data
  payload bytea,
  created_at timestamptz not null default now()
);
create index tool_executions_newest on tool_executions (project_id, created_at desc, id);

-- Requests of the current minute over all replicas.
create table rate_windows (
  organization_id text not null,
  window_start timestamptz not null,
  used bigint not null,
  primary key (organization_id, window_start)
);

-- Replicas keep keys and project settings in memory; this tells them what to forget, at commit.
create function announce_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('changed', tg_table_name);
  return null;
end $$;
create trigger api_keys_changed after insert or update or delete on api_keys for each statement execute function announce_change();
create trigger projects_changed after insert or update or delete on projects for each statement execute function announce_change();
