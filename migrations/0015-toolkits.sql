-- Toolkits that do not come with the program: of one project, or of the instance (project_id null).
create table toolkits (
  id bigint generated always as identity primary key,
  project_id text references projects,
  slug text not null,
  -- Operation to tool slug, of every import there was: a tool keeps its slug, and no slug goes to another operation.
  origins jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create unique index toolkits_of_project on toolkits (project_id, slug) where project_id is not null;
create unique index toolkits_of_instance on toolkits (slug) where project_id is null;

-- Contents by their SHA-256: the same content is stored once, whoever imported it. Compressed canonical JSON.
create table toolkit_contents (
  digest text primary key check (digest ~ '^[0-9a-f]{64}$'),
  bytes bytea not null
);

-- A version never changes. The oldest is also served as 00000000_00.
create table toolkit_versions (
  id bigint generated always as identity primary key,
  toolkit_id bigint not null references toolkits on delete cascade,
  -- As in toolkits, so that what a project has is found without a look at the others.
  project_id text references projects,
  version text not null check (version ~ '^\d{8}_\d{2}$'),
  digest text not null references toolkit_contents,
  changes text not null,
  source_kind text not null,
  source_address text,
  tools_count integer not null,
  -- Of the content in the database, in bytes.
  size integer not null,
  -- Tools that were left out, and why.
  quarantined jsonb not null default '[]',
  created_at timestamptz not null default now(),
  unique (toolkit_id, version)
);
create index toolkit_versions_project on toolkit_versions (project_id, id);
create index toolkit_versions_digest on toolkit_versions (digest);
