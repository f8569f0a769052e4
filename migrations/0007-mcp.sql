-- An MCP server is a choice of toolkits, tools and auth configs that MCP clients reach at one URL. Deleted servers keep
-- their row; the API returns 404 for them.
create table mcp_servers (
  id uuid primary key default gen_random_uuid(),
  project_id text not null references projects,
  name text not null check (length(name) between 4 and 30),
  auth_config_ids text[] not null,
  -- Toolkits in addition to those of the auth configs.
  toolkits text[] not null,
  -- Empty: every tool of the toolkits.
  allowed_tools text[] not null,
  -- Whether a missing connection is reported with a connect link.
  managed_auth boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index mcp_servers_changed on mcp_servers (project_id, updated_at desc, id) where deleted_at is null;

-- A user of a server.
create table mcp_server_instances (
  id uuid primary key default gen_random_uuid(),
  project_id text not null references projects,
  server_id uuid not null references mcp_servers,
  user_id text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index mcp_server_instances_user on mcp_server_instances (server_id, user_id);

-- OAuth clients that registered themselves. They belong to no project, as browsers do: a grant says what one may do.
create table mcp_clients (
  id text primary key,
  name text check (length(name) <= 200),
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 20),
  auth_method text not null check (auth_method in ('none', 'client_secret_basic', 'client_secret_post')),
  secret_hash bytea,
  -- Hash of the network that registered it; limits registrations.
  source_hash bytea not null,
  created_at timestamptz not null default now(),
  -- The last time it received or refreshed a grant.
  used_at timestamptz,
  check ((auth_method = 'none') = (secret_hash is null))
);
create index mcp_clients_source on mcp_clients (source_hash, created_at);
create index mcp_clients_created on mcp_clients (created_at);

-- Authorization requests of clients, from the request to the code and the grant that it was exchanged for.
create table mcp_authorizations (
  id text primary key,
  project_id text not null references projects,
  resource_kind text not null,
  resource_id text not null,
  -- The user in the URL of the request.
  requested_user_id text,
  client_id text not null,
  client_name text,
  redirect_uri text not null,
  state text,
  code_challenge text not null,
  browser_hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Set when the user decides; a denial has no code.
  decided_at timestamptz,
  user_id text,
  code_hash bytea unique,
  code_expires_at timestamptz,
  grant_id text
);
create index mcp_authorizations_resource on mcp_authorizations (resource_kind, resource_id, created_at);
create index mcp_authorizations_browser on mcp_authorizations (browser_hash, created_at);
create index mcp_authorizations_expired on mcp_authorizations (expires_at);

-- Sign-in links that the project sends to its users, and the browser that opened each.
create table mcp_sign_ins (
  token_hash bytea primary key,
  project_id text not null references projects,
  resource_kind text not null,
  resource_id text not null,
  user_id text not null,
  -- Restricts the link to one authorization request, in the browser that started it.
  authorization_id text,
  expires_at timestamptz not null,
  browser_hash bytea,
  used_at timestamptz,
  check ((used_at is null) = (browser_hash is null))
);
create index mcp_sign_ins_browser on mcp_sign_ins (browser_hash, used_at) where browser_hash is not null;
create index mcp_sign_ins_expired on mcp_sign_ins (expires_at);

-- What a user allows a client: one server or session, as this user.
create table mcp_grants (
  id text primary key,
  project_id text not null references projects,
  resource_kind text not null,
  resource_id text not null,
  user_id text not null,
  client_id text not null,
  client_name text,
  created_at timestamptz not null default now(),
  -- The last time tokens were issued.
  used_at timestamptz not null default now()
);
create index mcp_grants_user on mcp_grants (project_id, user_id, created_at desc);
create index mcp_grants_created on mcp_grants (project_id, created_at desc);
create index mcp_grants_client on mcp_grants (client_id);

create table mcp_tokens (
  token_hash bytea primary key,
  grant_id text not null references mcp_grants on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz not null,
  -- A refresh token is used once. For a short time it works again, for a client that lost the first response.
  used_at timestamptz,
  uses integer not null default 0
);
create index mcp_tokens_grant on mcp_tokens (grant_id);
create index mcp_tokens_expired on mcp_tokens (expires_at);
