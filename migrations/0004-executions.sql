-- Log of tool executions. A call that may change data at the application is written before it is sent: until its end is
-- known, successful is null. Fill factor: the end is written over the start on the same page (HOT), without index writes.
create table tool_executions (
  id text primary key,
  project_id text not null,
  tool_slug text not null,
  toolkit_slug text not null,
  version text not null,
  user_id text,
  connected_account_id text,
  auth_config_id text,
  request_id text not null,
  successful boolean,
  status_code integer,
  error text,
  duration_ms integer,
  source jsonb,
  -- Arguments and result, encrypted (therefore not compressible). Null under dont_store_data.
  payload bytea,
  created_at timestamptz not null default now(),
  -- read, create, update or delete
  effect text,
  dry_run boolean not null default false,
  -- Milliseconds by step.
  timings jsonb,
  -- Number of requests to the application, and the bytes of their bodies.
  requests integer,
  request_bytes bigint,
  response_bytes bigint,
  session_id text,
  sandbox_id text,
  -- The execution that started this one.
  parent_id text
) with (fillfactor = 90);
alter table tool_executions alter column payload set storage external;
create index tool_executions_newest on tool_executions (project_id, created_at desc, id);
create index tool_executions_user on tool_executions (project_id, user_id, created_at desc) where user_id is not null;
create index tool_executions_tool on tool_executions (project_id, tool_slug, created_at desc);
create index tool_executions_account on tool_executions (project_id, connected_account_id, created_at desc)
  where connected_account_id is not null;
create index tool_executions_request on tool_executions (project_id, request_id);

-- Pages of a response that is larger than its caller accepts at once. encrypted_payload: the texts of these pages.
create table response_pages (
  id text primary key,
  project_id text not null references projects,
  response_id text not null,
  first_page integer not null,
  last_page integer not null,
  encrypted_payload bytea not null,
  expires_at timestamptz not null
);
alter table response_pages alter column encrypted_payload set storage external;
create index response_pages_response on response_pages (project_id, response_id, first_page);
create index response_pages_expired on response_pages (expires_at);

-- Calls with an Idempotency-Key, so that each takes effect at most once.
create table idempotency_keys (
  -- Hash of project and key.
  id text primary key,
  project_id text not null references projects,
  log_id text not null,
  status text not null default 'running' check (status in ('running', 'done')),
  -- The call and its result.
  encrypted_payload bytea not null,
  -- After this moment the process that runs the call is considered crashed.
  lease_until timestamptz not null,
  expires_at timestamptz not null
);
alter table idempotency_keys alter column encrypted_payload set storage external;
create index idempotency_keys_expired on idempotency_keys (expires_at);
