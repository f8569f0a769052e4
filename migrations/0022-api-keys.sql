-- API keys can expire, and know when they were last used (to the minute) and which key replaces them.
alter table api_keys
  add column expires_at timestamptz,
  add column last_used_at timestamptz,
  add column replaced_by text;
create index api_keys_organization on api_keys (organization_id, created_at, id)
  where deleted_at is null and project_id is null;
create index api_keys_expiry on api_keys (expires_at) where deleted_at is null;
