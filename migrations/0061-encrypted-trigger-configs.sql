-- The key with which a project computes hashes, which is never renewed, because SQL compares the hashes.
alter table project_data_keys add column purpose text not null default 'encryption'
  check (purpose in ('encryption', 'hashing'));
drop index project_data_keys_current;
create unique index project_data_keys_current on project_data_keys (project_id, purpose) where replaced_at is null;

-- Configurations of triggers name channels, searches and people. Earlier rows keep theirs in clear until the instance is
-- created again, or `keys rotate-encryption --values` encrypts them.
alter table trigger_instances alter column config drop not null, add column encrypted_config bytea,
  add column interval_minutes double precision;
alter table trigger_instances add constraint trigger_instances_has_config
  check (num_nonnulls(config, encrypted_config) = 1);
update trigger_instances set interval_minutes = (config ->> 'interval')::double precision
where jsonb_typeof(config -> 'interval') = 'number';
