-- A code that a webhook of the provider brings, and the walk whose browser came back for it: whichever is here first waits for the other.
create table connection_codes (
  -- Hash of the auth config and of the value by which the two are known to each other.
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
create index connection_codes_of_walk on connection_codes (state_hash) where state_hash is not null;
create index connection_codes_expired on connection_codes (expires_at);
