-- What agents noted about a user, by toolkit; sealed, at most fifty sentences a row.
create table user_memories (
  id text primary key,
  project_id text not null references projects,
  user_id text not null,
  toolkit text not null,
  sealed bytea not null,
  updated_at timestamptz not null default now(),
  unique (project_id, user_id, toolkit)
);

-- A sequence of tool calls that a user keeps under a name. version: the current one.
create table recipes (
  id text primary key,
  project_id text not null references projects,
  user_id text not null,
  slug text not null,
  name text not null,
  description text not null,
  version integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (project_id, user_id, slug)
);

-- Its code, sealed; the last twenty versions.
create table recipe_versions (
  id text primary key,
  recipe_id text not null references recipes on delete cascade,
  version integer not null,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  unique (recipe_id, version)
);
