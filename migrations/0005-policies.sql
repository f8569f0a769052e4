-- Policies decide whether a call may be made.
create table policies (
  id text primary key,
  project_id text not null references projects,
  name text not null,
  outcome text not null check (outcome in ('allow', 'ask', 'deny')),
  enabled boolean not null,
  fallback boolean not null,
  message text,
  covers_proxy boolean not null,
  approval_seconds integer not null check (approval_seconds between 60 and 86400),
  approval_link boolean not null,
  -- As in the API. The type is json because jsonb does not keep the order of keys.
  conditions json not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index policies_oldest on policies (project_id, created_at, id);

-- Calls that need the approval of a person. binding is a digest of the whole call; it and the encrypted arguments are
-- there while the approval can be used or its denial still applies.
create table approvals (
  id text primary key,
  project_id text not null references projects,
  status text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'used', 'expired')),
  session_id text,
  user_id text,
  tool_slug text not null,
  toolkit_slug text not null,
  version text not null,
  connected_account_id text,
  policy_ids text[] not null,
  reason text,
  choices text[] not null,
  seconds integer not null,
  binding bytea,
  encrypted_payload bytea,
  log_id text not null,
  used_log_id text,
  decided_by text,
  decided_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  check (
    case
      when binding is null then status in ('denied', 'used', 'expired')
      else status in ('pending', 'approved', 'denied')
    end
  ),
  check ((encrypted_payload is not null) = (status in ('pending', 'approved')))
);
-- The same call has one approval at a time.
create unique index approvals_binding on approvals (project_id, binding) where binding is not null;
create index approvals_newest on approvals (project_id, created_at desc, id);
create index approvals_expired on approvals (expires_at) where binding is not null;

-- Tools that a person allowed for the rest of a session. account is __none__ for a tool that runs without one.
create table approval_grants (
  project_id text not null references projects,
  session_id text not null,
  tool_slug text not null,
  account text not null,
  approval_id text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, session_id, tool_slug, account)
);

-- Log of the decisions of policies and people.
create table approval_decisions (
  id text primary key,
  project_id text not null references projects,
  event text not null,
  at timestamptz not null default now(),
  approval_id text,
  policy_ids text[] not null,
  tool_slug text not null,
  user_id text,
  connected_account_id text,
  session_id text,
  decided_by text,
  log_id text
);
create index approval_decisions_newest on approval_decisions (project_id, at desc, id);
create index approval_decisions_oldest on approval_decisions (at);
