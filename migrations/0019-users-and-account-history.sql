-- Deletions of users: a background job revokes and removes everything of one user, and continues after a crash.
create table user_deletions (
  id text primary key,
  project_id text not null references projects,
  user_id text not null,
  status text not null default 'pending' check (status in ('pending', 'done', 'failed')),
  -- What was removed so far, by kind.
  removed jsonb not null default '{}',
  last_error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((status = 'pending') = (finished_at is null))
);
create unique index user_deletions_pending on user_deletions (project_id, user_id) where status = 'pending';
create index user_deletions_newest on user_deletions (project_id, user_id, created_at desc);

-- Users of a project in the order of their ids.
create index connected_accounts_user on connected_accounts (project_id, user_id) where deleted_at is null;

-- Changes of the status of connected accounts, for their timeline.
create table account_status_changes (
  id bigint generated always as identity primary key,
  project_id text not null references projects,
  connected_account_id text not null references connected_accounts,
  -- Null when the account was created.
  from_status text,
  to_status text not null,
  reason text,
  at timestamptz not null default now()
);
create index account_status_changes_newest
  on account_status_changes (project_id, connected_account_id, id desc);
create index account_status_changes_oldest on account_status_changes (at);
