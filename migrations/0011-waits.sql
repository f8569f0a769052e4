-- New credentials that wait outside their account: for the user to choose (a site, a tenant), or for the application to say who its user is.
-- Gone as soon as they are used, or late: there is no second copy of credentials.
create table connection_waits (
  id text primary key,
  project_id text not null references projects,
  connected_account_id text not null references connected_accounts,
  waits_for text not null check (waits_for in ('choice', 'confirmation')),
  -- hash of what opens it: the cookie of the browser that may choose, or the secret of the session that may be confirmed
  key_hash bytea not null,
  sealed bytea not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create unique index connection_waits_confirmation on connection_waits (key_hash) where waits_for = 'confirmation';
create index connection_waits_of_account on connection_waits (connected_account_id);
create index connection_waits_expired on connection_waits (expires_at);

alter table connection_exchanges drop constraint connection_exchanges_kind_check;
alter table connection_exchanges add constraint connection_exchanges_kind_check check (kind in ('start', 'code', 'refresh', 'sign_in', 'revoke', 'probe', 'follow_up', 'post_connect'));
