-- Organizations own projects; a project owns everything else. Keys of project tables start with project_id, so
-- that no query can reach the rows of another project by accident.
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

-- API keys are looked up by hash. The encrypted key is only read for the endpoint that lists the keys of a project.
create table api_keys (
  id text primary key,
  auto_id bigint generated always as identity,
  uuid uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('project', 'organization')),
  organization_id text not null references organizations,
  project_id text references projects,
  name text not null,
  key_hash bytea not null,
  encrypted_key bytea not null,
  permissions jsonb,
  allowed_ips text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  check ((kind = 'project') = (project_id is not null))
);
create unique index api_keys_hash on api_keys (key_hash);
create index api_keys_project on api_keys (project_id, created_at, id) where deleted_at is null;

-- Requests of an organization in one minute, counted over all replicas.
create table rate_limit_windows (
  organization_id text not null,
  window_start timestamptz not null,
  used bigint not null,
  primary key (organization_id, window_start)
);
