-- The identity provider at which members sign in to the console, unless the settings of the server name one.
create table organization_openid_providers (
  organization_id text primary key references organizations,
  issuer text not null,
  client_id text not null,
  -- Null for a public client.
  encrypted_client_secret bytea,
  name text not null,
  scopes text not null,
  allowed_domains text[] not null,
  trusts_email boolean not null,
  role_claim text not null,
  role_map jsonb not null,
  default_role text,
  -- Whether members sign in there only.
  is_only boolean not null default false,
  -- Changes with everything that decides who can sign in, so that a sign-in proves one version of it.
  revision text not null,
  updated_at timestamptz not null default now()
);
-- The revision of the provider at which the session began; null for sessions that began elsewhere.
alter table console_sessions add column provider_revision text;
