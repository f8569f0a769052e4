-- The browser that was sent to the provider (hash of its cookie): another one may not come back in its place. null: this server never saw it.
alter table connection_flows add column browser_hash bytea;

-- A page on which a user connects an account. The token of its address is kept as a hash.
create table connection_links (
  token_hash bytea primary key,
  project_id text not null references projects,
  connected_account_id text not null references connected_accounts,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index connection_links_of_account on connection_links (connected_account_id);
create index connection_links_expired on connection_links (expires_at);
