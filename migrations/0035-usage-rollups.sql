-- Usage by hour, computed from tool_executions: the statistics of a month would otherwise read all of its rows. The rows
-- of an hour are inserted in one transaction, after its end, and several may have the same key: readers add them up.
-- Dry runs are not counted. `hour` is the begin of an hour of UTC.
create table usage_hours (
  project_id text not null,
  hour timestamptz not null,
  -- The field that `key` is a value of. total: no key.
  dimension text not null check (dimension in (
    'total', 'toolkit_slug', 'tool_slug', 'auth_config_id', 'connected_account_id', 'user_id', 'session_id', 'status')),
  key text,
  -- The user of a session. Null for other dimensions.
  user_id text,
  calls integer not null,
  failed integer not null,
  -- Each duration in milliseconds, and how many calls had it, for exact percentiles. Null for dimensions but total.
  durations integer[],
  duration_calls integer[]
);
create index usage_hours_dimension on usage_hours (project_id, dimension, hour);
select restrict_to_projects('usage_hours');

-- Hours of which an execution was written or removed after usage_hours had them. Until they are computed again, readers
-- count their executions. A statement that writes such an execution locks the row here.
create table usage_stale_hours (
  project_id text not null,
  hour timestamptz not null,
  primary key (project_id, hour)
);
select restrict_to_projects('usage_stale_hours');

-- One row, or none at first: usage_hours has all hours before `through`.
create table usage_progress (
  is_only_row boolean primary key default true check (is_only_row),
  through timestamptz not null
);
