-- Programs that registered themselves as clients of MCP servers. They belong to no project, as browsers do: what one may do is a grant.
create table mcp_clients (
  id text primary key,
  name text check (length(name) <= 200),
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 20),
  auth_method text not null check (auth_method in ('none', 'client_secret_basic', 'client_secret_post')),
  secret_hash bytea,
  -- hash of the network that registered it, by which registrations are bounded
  source_hash bytea not null,
  created_at timestamptz not null default now(),
  -- when it last got or renewed a grant
  used_at timestamptz,
  check ((auth_method = 'none') = (secret_hash is null))
);
create index mcp_clients_source on mcp_clients (source_hash, created_at);
create index mcp_clients_created on mcp_clients (created_at);

-- What a client asked a browser for, from the request to the code and what the code was exchanged for.
create table mcp_authorizations (
  id text primary key,
  project_id text not null references projects,
  resource_kind text not null,
  resource_id text not null,
  -- the user that the address names
  asked_user_id text,
  client_id text not null,
  client_name text,
  redirect_uri text not null,
  state text,
  code_challenge text not null,
  browser_hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- set when the user has decided; a refusal has no code
  decided_at timestamptz,
  user_id text,
  code_hash bytea unique,
  code_expires_at timestamptz,
  grant_id text
);
create index mcp_authorizations_resource on mcp_authorizations (resource_kind, resource_id, created_at);
create index mcp_authorizations_browser on mcp_authorizations (browser_hash, created_at);
create index mcp_authorizations_expires on mcp_authorizations (expires_at);

-- Proof of who sits at a browser: a link that the project gave its user, and after it was followed the browser that followed it.
create table mcp_sign_ins (
  token_hash bytea primary key,
  project_id text not null references projects,
  resource_kind text not null,
  resource_id text not null,
  user_id text not null,
  -- for one request only, at the browser that began it
  authorization_id text,
  expires_at timestamptz not null,
  browser_hash bytea,
  used_at timestamptz,
  check ((used_at is null) = (browser_hash is null))
);
create index mcp_sign_ins_browser on mcp_sign_ins (browser_hash, used_at) where browser_hash is not null;
create index mcp_sign_ins_expires on mcp_sign_ins (expires_at);

-- What a user allowed a client: one server or session, as this user.
create table mcp_grants (
  id text primary key,
  project_id text not null references projects,
  resource_kind text not null,
  resource_id text not null,
  user_id text not null,
  client_id text not null,
  client_name text,
  created_at timestamptz not null default now(),
  -- when tokens were last made
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
  -- a refresh token is used once; for a moment more it answers whoever lost the first answer
  used_at timestamptz,
  uses integer not null default 0
);
create index mcp_tokens_grant on mcp_tokens (grant_id);
create index mcp_tokens_expires on mcp_tokens (expires_at);
