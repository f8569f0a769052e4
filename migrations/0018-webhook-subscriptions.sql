-- Where a project has its events delivered. The secret that was replaced signs beside the new one until former_until, so that receivers have time to change.
create table webhook_subscriptions (
  id text primary key,
  project_id text not null references projects,
  webhook_url text not null check (length(webhook_url) <= 2048),
  version text not null check (version in ('V1', 'V2', 'V3')),
  enabled_events text[] not null check (cardinality(enabled_events) between 1 and 100),
  secret bytea not null,
  former_secret bytea,
  former_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((former_secret is null) = (former_until is null))
);
-- An address gets an event once.
create unique index webhook_subscriptions_url on webhook_subscriptions (project_id, webhook_url);
create index webhook_subscriptions_oldest on webhook_subscriptions (project_id, created_at, id);
