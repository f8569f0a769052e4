-- Usage by day, the sum of usage_hours: a month of 10,000 users has millions of hours with a call of a user. Written in
-- one transaction with the hours of which it is the sum. Several rows may have the same key: readers add them up.
-- `day` is the begin of a day of UTC.
create table usage_days (
  project_id text not null,
  day timestamptz not null,
  -- The columns below are those of usage_hours.
  dimension text not null check (dimension in (
    'total', 'toolkit_slug', 'tool_slug', 'auth_config_id', 'connected_account_id', 'user_id', 'session_id', 'status')),
  key text,
  user_id text,
  calls integer not null,
  failed integer not null,
  durations integer[],
  duration_calls integer[]
);
create index usage_days_dimension on usage_days (project_id, dimension, day);
select restrict_to_projects('usage_days');

-- usage_days has the days from days_from on and before days_through. Days before days_from have lost hours to retention.
alter table usage_progress add column days_from timestamptz not null default '-infinity';
alter table usage_progress add column days_through timestamptz not null default '-infinity';
