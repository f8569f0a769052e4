-- Files that callers upload for a tool, and that tools answer with. The bytes are in the file store under object_key; a row without uploaded_at waits for them.
create table files (
  id text primary key,
  project_id text not null references projects,
  kind text not null check (kind in ('request', 'result')),
  object_key text not null,
  toolkit_slug text not null,
  tool_slug text not null,
  filename text not null,
  mimetype text not null,
  -- lower-case hexadecimal; of a request what the caller announced, and what the bytes are held to
  md5 text not null,
  size bigint,
  created_at timestamptz not null default now(),
  uploaded_at timestamptz,
  expires_at timestamptz not null
);
create unique index files_key on files (project_id, object_key);
-- The same bytes for the same tool under the same name are one file.
create unique index files_same on files (project_id, toolkit_slug, tool_slug, md5, filename, mimetype) where kind = 'request';
create index files_newest on files (project_id, created_at desc, id);
create index files_expired on files (expires_at);
