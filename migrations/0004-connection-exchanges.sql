-- What was said with a provider about one account: names of everything, values only of what is harmless. No foreign key: an exchange is
-- written behind the answer, and the first ones happen before the account stands.
create table connection_exchanges (
  id bigint generated always as identity primary key,
  project_id text not null,
  connected_account_id text not null,
  kind text not null check (kind in ('start', 'code', 'refresh', 'sign_in', 'revoke', 'probe')),
  at timestamptz not null,
  duration_ms integer not null,
  request jsonb,
  answer jsonb not null,
  outcome text not null check (outcome in ('ok', 'refused', 'trouble')),
  code text
);
create index connection_exchanges_newest on connection_exchanges (project_id, connected_account_id, id desc);
create index connection_exchanges_old on connection_exchanges (at);
