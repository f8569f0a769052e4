-- The pages of answers that were larger than their caller wanted at once.
create table response_pages (
  id text primary key,
  project_id text not null references projects,
  response_id text not null,
  first_page integer not null,
  last_page integer not null,
  -- the texts of these pages
  sealed bytea not null,
  expires_at timestamptz not null
);
create index response_pages_of_response on response_pages (project_id, response_id, first_page);
create index response_pages_expired on response_pages (expires_at);

-- Calls that their callers gave a key, so that none of them has its effect twice.
create table idempotent_calls (
  -- hash of project and key
  id text primary key,
  project_id text not null references projects,
  log_id text not null,
  status text not null default 'running' check (status in ('running', 'done')),
  -- what was called, and what came of it
  sealed bytea not null,
  -- whoever runs it is dead after this moment
  lease_until timestamptz not null,
  expires_at timestamptz not null
);
create index idempotent_calls_expired on idempotent_calls (expires_at);
