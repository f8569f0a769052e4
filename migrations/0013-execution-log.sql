-- A call that may change something at the application is written down before it is sent: until its end is known, successful is null.
alter table tool_executions
  alter column successful drop not null,
  alter column duration_ms drop not null,
  -- read, create, update or delete
  add column effect text,
  -- the request was shown, not sent
  add column dry_run boolean not null default false,
  -- milliseconds by step
  add column timings jsonb,
  -- what went to the application, and the bytes of both bodies
  add column requests integer,
  add column request_bytes bigint,
  add column response_bytes bigint,
  add column session_id text,
  add column sandbox_id text,
  -- the execution that this one is part of
  add column parent_id text;

-- An end is written over its start; with room on the page, no index has to know.
alter table tool_executions set (fillfactor = 90);

create index tool_executions_user on tool_executions (project_id, user_id, created_at desc) where user_id is not null;
create index tool_executions_tool on tool_executions (project_id, tool_slug, created_at desc);
create index tool_executions_account on tool_executions (project_id, connected_account_id, created_at desc) where connected_account_id is not null;
create index tool_executions_request on tool_executions (project_id, request_id);
