-- A session is a choice of toolkits, tools and accounts for one user, in which an agent works. Deleted sessions keep
-- their row; the API returns 404 for them.
create table sessions (
  id text primary key,
  project_id text not null references projects,
  user_id text not null,
  -- As in the request; an absent field has its default.
  config jsonb not null,
  config_version integer not null default 1,
  -- For sessions of the older API path (labs): one user has one session of each configuration.
  labs_key bytea,
  created_at timestamptz not null default now(),
  -- When the current configuration was set.
  configured_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index sessions_labs on sessions (project_id, user_id, labs_key)
  where labs_key is not null and deleted_at is null;

-- Earlier configurations of a session.
create table session_configs (
  session_id text not null references sessions on delete cascade,
  version integer not null,
  config jsonb not null,
  superseded_at timestamptz not null default now(),
  primary key (session_id, version)
);

-- Named choices of toolkits, tools and tags for new sessions. A session is not affected by later changes.
create table saved_session_configs (
  id text primary key,
  project_id text not null references projects,
  name text not null,
  description text not null default '',
  -- As in the request.
  config jsonb not null,
  archived boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index saved_session_configs_name on saved_session_configs (project_id, name) where not archived;
create index saved_session_configs_newest on saved_session_configs (project_id, created_at desc, id);

-- Notes of agents about a user, by toolkit. Encrypted, at most fifty sentences a row.
create table user_memories (
  id text primary key,
  project_id text not null references projects,
  user_id text not null,
  toolkit text not null,
  encrypted_payload bytea not null,
  updated_at timestamptz not null default now(),
  unique (project_id, user_id, toolkit)
);

-- Named sequences of tool calls of a user. version is the current one.
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

-- The code of a recipe, encrypted: the last twenty versions.
create table recipe_versions (
  id text primary key,
  recipe_id text not null references recipes on delete cascade,
  version integer not null,
  encrypted_payload bytea not null,
  created_at timestamptz not null default now(),
  unique (recipe_id, version)
);

-- Files that callers upload for a tool (request), that tools return (result), and files of a session (mount). The bytes are
-- in the file store under object_key; a row without uploaded_at still waits for them.
create table files (
  id text primary key,
  project_id text not null references projects,
  kind text not null check (kind in ('request', 'result', 'mount')),
  object_key text not null,
  toolkit_slug text not null,
  tool_slug text not null,
  filename text not null,
  mimetype text not null,
  -- Lower-case hexadecimal. For a request the digest that the caller announced; the uploaded bytes must have it.
  md5 text not null,
  size bigint,
  created_at timestamptz not null default now(),
  uploaded_at timestamptz,
  expires_at timestamptz not null,
  session_id text references sessions,
  mount_path text check (octet_length(mount_path) <= 1024),
  check ((kind = 'mount') = (session_id is not null and mount_path is not null))
);
create unique index files_key on files (project_id, object_key);
-- Equal bytes for the same tool with the same name are one file.
create unique index files_same on files (project_id, toolkit_slug, tool_slug, md5, filename, mimetype) where kind = 'request';
create index files_newest on files (project_id, created_at desc, id);
create index files_expired on files (expires_at);
-- A path of a session has one file: a new upload replaces the previous one.
create unique index files_mount on files (session_id, mount_path collate "C")
  where kind = 'mount' and uploaded_at is not null;
