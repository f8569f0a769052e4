-- Which server has the sandbox of a session. A server claims the row before each run, so two servers never run code of
-- one session at the same time.
create table session_sandboxes (
  session_id text primary key references sessions (id) on delete cascade,
  project_id text not null,
  -- A random name of the server process.
  owner text not null,
  -- Empty while the first sandbox starts.
  sandbox_id text not null default '',
  -- Until when a run may take. Null between runs.
  busy_until timestamptz,
  updated_at timestamptz not null default now()
);
