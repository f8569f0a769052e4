-- Sign-ins to the console. A session belongs to an API key, and has exactly its permissions. The token is in a cookie;
-- the table has its SHA-256 only.
create table console_sessions (
  id text primary key,
  token_hash bytea not null,
  organization_id text not null references organizations,
  key_id text references api_keys,
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create unique index console_sessions_token on console_sessions (token_hash);
create index console_sessions_expiry on console_sessions (expires_at);
