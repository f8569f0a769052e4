-- Processes keep connected accounts in memory. Whatever statement changes what a tool call reads of an account or its auth
-- config, also one of an administrator, all processes are notified of it (platform/change-bus.ts).
create function report_account_change() returns trigger language plpgsql as $$
declare
  changed record := case when tg_op = 'DELETE' then old else new end;
  user_id text;
begin
  if tg_table_name = 'connected_accounts' then
    -- A payload has at most 8,000 bytes. Null stands for all users of the project.
    user_id := case when octet_length(changed.user_id) <= 1000 then changed.user_id end;
    if tg_op = 'UPDATE' and (old.project_id, old.user_id) is distinct from (new.project_id, new.user_id) then
      perform pg_notify('changes', json_build_object('kind', 'accounts_changed', 'projectId', old.project_id,
        'userId', null)::text);
    end if;
  end if;
  perform pg_notify('changes', json_build_object('kind', 'accounts_changed', 'projectId', changed.project_id,
    'userId', user_id)::text);
  return null;
end $$;

create trigger connected_accounts_report_row after insert or delete on connected_accounts
  for each row execute function report_account_change();
-- Not for the lease of a token refresh, which changes twice for each refresh.
create trigger connected_accounts_report_change after update on connected_accounts
  for each row when ((old.project_id, old.user_id, old.auth_config_id, old.toolkit_slug, old.auth_scheme, old.status,
    old.status_reason, old.credentials, old.credentials_version, old.token_expires_at, old.auth_failures,
    old.account_type, old.acl, old.connected_at, old.setup_expires_at, old.deleted_at)
    is distinct from (new.project_id, new.user_id, new.auth_config_id, new.toolkit_slug, new.auth_scheme, new.status,
    new.status_reason, new.credentials, new.credentials_version, new.token_expires_at, new.auth_failures,
    new.account_type, new.acl, new.connected_at, new.setup_expires_at, new.deleted_at))
  execute function report_account_change();
create trigger auth_configs_report_change after update or delete on auth_configs
  for each row execute function report_account_change();
