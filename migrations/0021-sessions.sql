-- A session is a choice of toolkits, tools and accounts for one user, which an agent works within. Deleted ones stay, and answer as missing.
create table sessions (
  id text primary key,
  project_id text not null references projects,
  user_id text not null,
  -- as it was given, in the spelling of requests; what is not there has its default
  config jsonb not null,
  config_version integer not null default 1,
  -- of sessions that the older address made: one user has one of each
  labs_key bytea,
  created_at timestamptz not null default now(),
  -- since when this configuration stands
  configured_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index sessions_labs on sessions (project_id, user_id, labs_key) where labs_key is not null and deleted_at is null;

-- Configurations that a session had before.
create table session_configs (
  session_id text not null references sessions on delete cascade,
  version integer not null,
  config jsonb not null,
  superseded_at timestamptz not null default now(),
  primary key (session_id, version)
);
