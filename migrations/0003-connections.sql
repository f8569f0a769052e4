-- How the users of a project sign in to one toolkit.
create table auth_configs (
  id text primary key,
  uuid uuid not null default gen_random_uuid(),
  project_id text not null references projects,
  toolkit_slug text not null,
  type text not null check (type in ('default', 'custom')),
  name text not null,
  auth_scheme text not null,
  is_service_managed boolean not null,
  -- Encrypted. Null if the scheme needs nothing from the developer.
  credentials bytea,
  shared_credentials bytea,
  proxy_config bytea,
  status text not null default 'ENABLED' check (status in ('ENABLED', 'DISABLED')),
  created_by text not null,
  tools_for_connected_account_creation text[] not null default '{}',
  tools_available_for_execution text[] not null default '{}',
  is_enabled_for_tool_router boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index auth_configs_newest on auth_configs (project_id, created_at desc, id) where deleted_at is null;
create unique index auth_configs_uuid on auth_configs (uuid);

-- The account of one user at one application.
create table connected_accounts (
  id text primary key,
  uuid uuid not null default gen_random_uuid(),
  word_id text not null,
  alias text,
  project_id text not null references projects,
  user_id text not null,
  auth_config_id text not null references auth_configs,
  toolkit_slug text not null,
  auth_scheme text not null,
  status text not null check (
    status in ('INITIALIZING', 'INITIATED', 'ACTIVE', 'FAILED', 'EXPIRED', 'INACTIVE', 'REVOKED')
  ),
  status_reason text,
  -- Encrypted: `connectionData.val` of the API without its status.
  credentials bytea not null,
  -- Counts the writes of credentials: a process that refreshed an older version must not overwrite a newer one.
  credentials_version integer not null default 1,
  token_expires_at timestamptz,
  refresh_lease text,
  refresh_lease_until timestamptz,
  auth_failures integer not null default 0,
  requested_scopes text[] not null default '{}',
  requested_user_scopes text[] not null default '{}',
  callback_url text,
  account_type text not null default 'PRIVATE' check (account_type in ('PRIVATE', 'SHARED')),
  acl jsonb,
  connected_at timestamptz,
  setup_expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- The last successful token refresh, and the last keep-alive attempt for an account that no call uses.
  refreshed_at timestamptz,
  refresh_attempted_at timestamptz,
  -- Encrypted, because it is personal data: id, e-mail address, name and tenant at the provider. Null if not yet requested.
  identity bytea
);
create index connected_accounts_newest on connected_accounts (project_id, created_at desc, id) where deleted_at is null;
-- Chooses the account of a call: the newest active one of the user and toolkit.
create index connected_accounts_active on connected_accounts (project_id, user_id, toolkit_slug, connected_at desc, id)
  where deleted_at is null and status = 'ACTIVE';
create unique index connected_accounts_alias on connected_accounts (project_id, user_id, toolkit_slug, alias)
  where deleted_at is null and alias is not null;
create unique index connected_accounts_uuid on connected_accounts (uuid);
create index connected_accounts_auth_config on connected_accounts (auth_config_id) where deleted_at is null;
create index connected_accounts_setup_expiry on connected_accounts (setup_expires_at)
  where setup_expires_at is not null and deleted_at is null;
-- Finds accounts for the keep-alive refresh.
create index connected_accounts_idle on connected_accounts (toolkit_slug, auth_scheme, (coalesce(refreshed_at, connected_at)))
  where status = 'ACTIVE' and deleted_at is null;
-- Finds orphaned refresh leases. The index has one entry for each refresh in progress.
create index connected_accounts_refresh_lease on connected_accounts (refresh_lease_until) where refresh_lease is not null;

-- One OAuth authorization flow: a browser goes to the provider and comes back. A flow is used at most once.
create table authorization_flows (
  state_hash bytea primary key,
  short_id text not null unique,
  project_id text not null references projects,
  connected_account_id text not null references connected_accounts,
  -- `reconnect` keeps the credentials of the account until the flow has new ones.
  kind text not null default 'connect' check (kind in ('connect', 'reconnect')),
  -- Encrypted, such as the PKCE verifier.
  secrets bytea not null,
  -- Hash of the cookie of the browser that started; another browser cannot complete the flow. Null: no browser was seen.
  browser_hash bytea,
  -- The toolkit of a flow whose provider does not return `state`: the callback finds it by browser and toolkit.
  browser_toolkit text,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index authorization_flows_account on authorization_flows (connected_account_id);
create index authorization_flows_expired on authorization_flows (expires_at);
create index authorization_flows_browser on authorization_flows (browser_hash, browser_toolkit)
  where browser_toolkit is not null and used_at is null;

-- Hosted pages on which a user connects an account. The token of the URL is stored as a hash.
create table connect_links (
  token_hash bytea primary key,
  project_id text not null references projects,
  connected_account_id text not null references connected_accounts,
  -- `reconnect` keeps the account and its credentials until the new ones are there.
  kind text not null default 'connect' check (kind in ('connect', 'reconnect')),
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index connect_links_account on connect_links (connected_account_id);
create index connect_links_expired on connect_links (expires_at);

-- An authorization code that the provider sends by webhook, and the flow whose browser came back. Whichever comes first
-- waits for the other.
create table webhook_codes (
  -- Hash of the auth config and of the value that both have.
  id text primary key,
  project_id text not null references projects,
  state_hash bytea,
  returned bytea,
  code bytea,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  check ((state_hash is null) = (returned is null)),
  check (state_hash is not null or code is not null)
);
create index webhook_codes_flow on webhook_codes (state_hash) where state_hash is not null;
create index webhook_codes_expired on webhook_codes (expires_at);

-- New credentials that are not yet in their account: the user has to choose a site or tenant, or the application has to
-- confirm its user. The row is deleted when it is used or expires, so that there is no second copy of credentials.
create table pending_connections (
  id text primary key,
  project_id text not null references projects,
  connected_account_id text not null references connected_accounts,
  waits_for text not null check (waits_for in ('choice', 'confirmation')),
  -- Hash of the cookie of the browser that may choose, or of the session secret that may confirm.
  key_hash bytea not null,
  encrypted_payload bytea not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create unique index pending_connections_confirmation on pending_connections (key_hash) where waits_for = 'confirmation';
create index pending_connections_account on pending_connections (connected_account_id);
create index pending_connections_expired on pending_connections (expires_at);

-- Log of requests to the provider of an account: the names of all fields, values only where they are harmless. There is no
-- foreign key: rows are written after the response is sent, and the first requests come before the account exists.
create table provider_requests (
  id bigint generated always as identity primary key,
  project_id text not null,
  connected_account_id text not null,
  kind text not null check (
    kind in ('start', 'code', 'refresh', 'sign_in', 'revoke', 'probe', 'follow_up', 'post_connect')
  ),
  at timestamptz not null,
  duration_ms integer not null,
  request jsonb,
  response jsonb not null,
  outcome text not null check (outcome in ('ok', 'refused', 'trouble')),
  code text
);
create index provider_requests_newest on provider_requests (project_id, connected_account_id, id desc);
create index provider_requests_oldest on provider_requests (at);

-- Incidents: accounts that an administrator froze after a leak, by project, toolkit, user, or a combination.
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

-- Grants to revoke at the provider, one row an account. The API returns job_id; one deletion can have many rows.
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
  -- What the revocation request needs after the account is deleted; erased at the end. Null: the account still has it.
  encrypted_payload bytea,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check (status = 'pending' or encrypted_payload is null)
);
create index revocations_job on revocations (project_id, job_id);
create index revocations_incident on revocations (incident_id, created_at, id) where incident_id is not null;
create unique index revocations_pending on revocations (connected_account_id) where status = 'pending';

-- Until when an application accepts no more calls of an account, by its own rate limit responses. Every replica keeps
-- these in memory; the table is for replicas that start or lost their connection.
create table rate_limit_cooldowns (
  project_id text not null references projects (id) on delete cascade,
  -- An account or an auth config, and the part of the application that the limit counts.
  key text not null check (length(key) <= 200),
  until timestamptz not null,
  primary key (project_id, key)
);
create index rate_limit_cooldowns_until on rate_limit_cooldowns (until);
