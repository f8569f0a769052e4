-- A choice of toolkits, tools and tags under a name, with which sessions are opened. A session keeps what it was opened with.
create table saved_session_configs (
  id text primary key,
  project_id text not null references projects,
  name text not null,
  description text not null default '',
  -- in the spelling of requests
  config jsonb not null,
  archived boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index saved_session_configs_name on saved_session_configs (project_id, name) where not archived;
create index saved_session_configs_in_order on saved_session_configs (project_id, created_at desc, id);
