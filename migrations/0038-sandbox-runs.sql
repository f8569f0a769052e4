-- Runs of code that a server passes to the one that has the sandbox of the session. A row exists while its run does.
create table sandbox_runs (
  id text primary key,
  project_id text not null,
  session_id text not null references sessions (id) on delete cascade,
  -- The server that has the sandbox.
  owner text not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'rejected', 'ended')),
  -- The code while it waits, the outcome when it has ended, null in between.
  encrypted_payload bytea,
  created_at timestamptz not null default now()
);
create index sandbox_runs_session on sandbox_runs (session_id);
select restrict_to_projects('sandbox_runs');
