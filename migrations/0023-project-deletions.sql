-- Deletions of projects: a background job revokes grants at the providers and erases the data. `removed` counts rows.
create table project_deletions (
  id text primary key,
  organization_id text not null references organizations,
  project_id text not null unique references projects,
  status text not null default 'pending' check (status in ('pending', 'done')),
  removed jsonb not null default '{}',
  last_error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((status = 'pending') = (finished_at is null))
);
create index project_deletions_pending on project_deletions (created_at) where status = 'pending';
