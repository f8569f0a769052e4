-- Until when an application takes no more calls of an account, as it said itself. Every server has them in memory; this is for those that start or lost touch.
create table provider_pauses (
  project_id text not null references projects (id) on delete cascade,
  -- An account or an auth config, and what of it the limit counts.
  key text not null check (length(key) <= 200),
  until timestamptz not null,
  primary key (project_id, key)
);
create index provider_pauses_until on provider_pauses (until);
