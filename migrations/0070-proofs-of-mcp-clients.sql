-- Clients of MCP servers can authenticate with a signed assertion (RFC 7523), whose public keys they register or publish.
alter table mcp_clients drop constraint mcp_clients_auth_method_check;
alter table mcp_clients add constraint mcp_clients_auth_method_check
  check (auth_method in ('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'));
alter table mcp_clients drop constraint mcp_clients_check;
alter table mcp_clients add constraint mcp_clients_secret_check
  check ((auth_method in ('client_secret_basic', 'client_secret_post')) = (secret_hash is not null));
alter table mcp_clients add column jwks jsonb;
alter table mcp_clients add column jwks_uri text;
alter table mcp_clients add constraint mcp_clients_keys_check
  check ((auth_method = 'private_key_jwt') = (num_nonnulls(jwks, jwks_uri) = 1));
-- The client registered that it always pushes its requests (RFC 9126), or binds its tokens to a key (RFC 9449).
alter table mcp_clients add column requires_pushed_requests boolean not null default false;
alter table mcp_clients add column requires_dpop boolean not null default false;

-- Authorization requests that clients sent from their own backend before the browser is redirected (RFC 9126). The browser
-- carries the secret of which this is the hash. A request is used once.
create table mcp_pushed_requests (
  request_hash bytea primary key,
  client_id text not null,
  parameters jsonb not null,
  -- Thumbprint of the key that proved the request.
  dpop_jkt text,
  source_hash bytea not null,
  expires_at timestamptz not null
);
create index mcp_pushed_requests_source on mcp_pushed_requests (source_hash, expires_at);
create index mcp_pushed_requests_expired on mcp_pushed_requests (expires_at);

-- Assertions and proofs that were used: each is accepted once.
create table mcp_used_proofs (
  proof_hash bytea primary key,
  expires_at timestamptz not null
);
create index mcp_used_proofs_expired on mcp_used_proofs (expires_at);

-- The key that must redeem the code, whether the tokens must be bound to a key, the authentication that a client with a
-- metadata document must use, and whether the user must sign in again.
alter table mcp_authorizations add column dpop_jkt text;
alter table mcp_authorizations add column requires_dpop boolean not null default false;
alter table mcp_authorizations add column client_auth text;
alter table mcp_authorizations add column prompt text;
alter table mcp_grants add column client_auth text;
-- Thumbprint (RFC 7638) of the key that the client must prove when it uses the token.
alter table mcp_tokens add column dpop_jkt text;
