-- The identity provider at which users of MCP clients sign in, for projects that have one.
create table mcp_openid_providers (
  project_id text primary key references projects,
  issuer text not null,
  client_id text not null,
  -- Null for a public client.
  encrypted_client_secret bytea,
  name text not null,
  scopes text not null,
  -- The claim whose text is the user id.
  user_id_claim text not null,
  updated_at timestamptz not null default now()
);
select restrict_to_projects('mcp_openid_providers');
