-- Each project has a random data key that encrypts its secrets. The key ring encrypts the data keys. Deleting a project
-- deletes its data key, so nothing can decrypt its values any more, also not the copies in backups of other tables.
create table project_data_keys (
  id text primary key,
  -- No reference to projects: a connection creates the key while the transaction of another one has the project's lock.
  project_id text not null,
  encrypted_key bytea not null,
  created_at timestamptz not null default now(),
  -- Since then another data key encrypts; this one only decrypts.
  replaced_at timestamptz
);
create unique index project_data_keys_current on project_data_keys (project_id) where replaced_at is null;
create index project_data_keys_project on project_data_keys (project_id);
select restrict_to_projects('project_data_keys');
