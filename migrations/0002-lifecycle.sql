-- An account that authenticates again keeps its credentials until the walk has brought new ones.
alter table connection_flows add column kind text not null default 'connect' check (kind in ('connect', 'reconnect'));

-- When the grant was last used at the provider, and when that was last tried while nobody was calling: the sweep of idle accounts goes by these.
alter table connected_accounts add column renewed_at timestamptz;
alter table connected_accounts add column renewal_tried_at timestamptz;
create index connected_accounts_idle on connected_accounts (toolkit_slug, auth_scheme, (coalesce(renewed_at, connected_at))) where status = 'ACTIVE' and deleted_at is null;

-- What happened and has to be told; written with the change itself, delivered apart from it. No secret stands here.
create table events (
  id text primary key,
  project_id text not null references projects,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default now()
);
create index events_newest on events (project_id, created_at desc, id);

-- What an operator froze after something leaked: all accounts of a project, of a toolkit, of a user, or where these meet.
create table incidents (
  id text primary key,
  organization_id text not null references organizations,
  project_id text references projects,
  toolkit_slug text,
  user_id text,
  reason text,
  created_at timestamptz not null default now(),
  check (coalesce(project_id, toolkit_slug, user_id) is not null)
);
create index incidents_newest on incidents (organization_id, created_at desc, id);

-- Grants that are to be ended at the provider, one row an account. job_id is what the caller was told; one deletion may have many rows.
create table revocations (
  id text primary key,
  job_id text not null,
  project_id text not null references projects,
  connected_account_id text not null references connected_accounts,
  incident_id text references incidents,
  status text not null default 'pending' check (status in ('pending', 'done', 'failed', 'unsupported')),
  attempts integer not null default 0,
  last_error text,
  revoked_tokens text[] not null default '{}',
  -- what the request to the provider needs once the account is deleted; wiped when this ends. null: the account itself still has it
  sealed bytea,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check (status = 'pending' or sealed is null)
);
create index revocations_of_job on revocations (project_id, job_id);
create index revocations_of_incident on revocations (incident_id, created_at, id) where incident_id is not null;
create unique index revocations_pending on revocations (connected_account_id) where status = 'pending';
