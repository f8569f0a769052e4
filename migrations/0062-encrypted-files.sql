-- The bytes of files are encrypted with a key of each file, which the data key of the project encrypts. Files without a
-- key are of earlier releases: those of mounts are encrypted by a scheduled job, others are removed when they expire.
alter table files add column encrypted_key bytea;
create index files_clear_mounts on files (id) where kind = 'mount' and encrypted_key is null and uploaded_at is not null;
