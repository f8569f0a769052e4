-- Custom toolkits, which do not ship with the program. project_id is null for those of the whole installation.
create table toolkits (
  id bigint generated always as identity primary key,
  project_id text references projects,
  slug text not null,
  -- Operation to tool slug, over all imports: an operation keeps its slug, and no slug moves to another operation.
  origins jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create unique index toolkits_of_project on toolkits (project_id, slug) where project_id is not null;
create unique index toolkits_of_installation on toolkits (slug) where project_id is null;

-- Toolkit contents by their SHA-256: equal content is stored once. bytes is compressed canonical JSON.
create table toolkit_contents (
  digest text primary key check (digest ~ '^[0-9a-f]{64}$'),
  bytes bytea not null
);

-- A version never changes. The oldest version is also served as 00000000_00.
create table toolkit_versions (
  id bigint generated always as identity primary key,
  toolkit_id bigint not null references toolkits on delete cascade,
  -- Repeats toolkits.project_id, so that the versions of a project are found without a join.
  project_id text references projects,
  version text not null check (version ~ '^\d{8}_\d{2}$'),
  digest text not null references toolkit_contents,
  changes text not null,
  source_kind text not null,
  source_url text,
  tools_count integer not null,
  -- Size of toolkit_contents.bytes.
  size integer not null,
  -- Tools that were left out, with the reason.
  quarantined jsonb not null default '[]',
  created_at timestamptz not null default now(),
  unique (toolkit_id, version)
);
create index toolkit_versions_project on toolkit_versions (project_id, id);
create index toolkit_versions_digest on toolkit_versions (digest);
