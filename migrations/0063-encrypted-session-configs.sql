-- Configurations of sessions have URLs of hooks and callbacks, which are often capabilities. Earlier rows keep theirs in
-- clear until they change, or `keys rotate-encryption --values` encrypts them. SQL joins what they name.
alter table sessions alter column config drop not null, add column encrypted_config bytea,
  add column auth_config_ids text[] not null default '{}', add column account_ids text[] not null default '{}';
alter table sessions add constraint sessions_has_config check (num_nonnulls(config, encrypted_config) = 1);
update sessions set
  auth_config_ids = array(select jsonb_each_text.value from jsonb_each_text(config -> 'auth_configs')),
  account_ids = array(
    select id from jsonb_each(config -> 'connected_accounts') toolkit
    cross join lateral jsonb_array_elements_text(toolkit.value) id)
where config ?| array['auth_configs', 'connected_accounts'];

alter table session_configs alter column config drop not null, add column encrypted_config bytea, add column id text;
update session_configs set id = session_id || '.' || version;
alter table session_configs alter column id set not null;
create unique index session_configs_id on session_configs (id);
alter table session_configs add constraint session_configs_has_config
  check (num_nonnulls(config, encrypted_config) = 1);

alter table saved_session_configs alter column config drop not null, add column encrypted_config bytea;
alter table saved_session_configs add constraint saved_session_configs_has_config
  check (num_nonnulls(config, encrypted_config) = 1);
