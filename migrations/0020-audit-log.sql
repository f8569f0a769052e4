-- The audit log: one chain of entries per project, and one per organization for calls with its keys. `hash` is the
-- SHA-256 of the hash before it, `seq` (8 bytes, big endian) and `entry`, so a changed or missing entry breaks the chain.
create table audit_chains (
  -- Id of the project or the organization.
  id text primary key,
  organization_id text not null,
  project_id text,
  -- The newest entry.
  seq bigint not null,
  hash bytea not null,
  -- The newest entry that retention removed: the chain continues from its hash.
  removed_seq bigint not null default 0,
  removed_hash bytea
);

create table audit_log (
  id text primary key,
  chain_id text not null,
  seq bigint not null,
  organization_id text not null,
  project_id text,
  created_at timestamptz not null,
  actor_id text,
  action text not null,
  object_type text not null,
  object_id text,
  outcome text not null check (outcome in ('success', 'failure', 'unknown')),
  -- The entry as JSON, exactly as it was hashed. The columns above repeat parts of it for filters.
  entry text not null,
  hash bytea not null,
  unique (chain_id, seq)
);
create index audit_log_project on audit_log (project_id, created_at desc, seq desc);
create index audit_log_organization on audit_log (organization_id, created_at desc, chain_id, seq desc);

-- Calls that have begun. The row is replaced by the entry when the call ends; a row that stays belongs to a process
-- that was killed, and becomes an entry with the outcome `unknown`.
create table audit_intents (
  id text primary key,
  entry text not null,
  created_at timestamptz not null default now()
);
create index audit_intents_oldest on audit_intents (created_at);

-- Entries are never changed, and only retention removes them, in a transaction that sets `patchbay.audit_retention`.
create function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('patchbay.audit_retention', true) = 'on' then
    return old;
  end if;
  raise exception 'audit_log is append-only';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function audit_log_is_append_only();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function audit_log_is_append_only();
