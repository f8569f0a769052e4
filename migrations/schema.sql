-- The schema that migrations/*.sql create. Written by scripts/dump-schema.ts for readers; it is never executed.

CREATE OR REPLACE FUNCTION public.audit_log_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and current_setting('patchbay.audit_retention', true) = 'on' then
    return old;
  end if;
  raise exception 'audit_log is append-only';
end $function$;

CREATE OR REPLACE FUNCTION public.create_partition(parent text, starts_at timestamp with time zone, ends_at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO, YMD'
AS $function$
declare
  begin_text text := case when not isfinite(starts_at) then 'older'
    when starts_at = date_trunc('day', starts_at) then to_char(starts_at, 'YYYYMMDD')
    else to_char(starts_at, 'YYYYMMDD_HH24MI') end;
  child text := parent || '_' || begin_text;
  bound text := case when isfinite(starts_at) then quote_literal(starts_at) else 'minvalue' end;
  time_column text := (
    select a.attname from pg_partitioned_table t
    join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
    where t.partrelid = parent::regclass);
begin
  -- Fill factor: the end of a call is written over its start on the same page (HOT), without index writes.
  execute format('create table %I (like %I including defaults including constraints including storage including indexes)
    with (fillfactor = %s)', child, parent, case parent when 'tool_executions' then 90 else 100 end);
  execute format('alter table %I enable row level security', child);
  execute format('with late as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *)
    insert into %5$I select * from late', parent || '_default', time_column, starts_at, ends_at, child);
  execute format('alter table %I attach partition %I for values from (%s) to (%L)', parent, child, bound, ends_at);
  return child;
end $function$;

CREATE OR REPLACE FUNCTION public.current_projects()
 RETURNS text[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select string_to_array(current_setting('patchbay.projects', true), ',')
$function$;

CREATE OR REPLACE FUNCTION public.list_partitions()
 RETURNS TABLE(parent text, name text, starts_at timestamp with time zone, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO, YMD'
AS $function$
  select p.relname, c.relname,
    case when b.bound like 'FOR VALUES FROM (MINVALUE)%' then '-infinity'
      else substring(b.bound from $x$FROM \('([^']*)'\)$x$)::timestamptz end,
    substring(b.bound from $x$TO \('([^']*)'\)$x$)::timestamptz
  from pg_partitioned_table t join pg_class p on p.oid = t.partrelid
    join pg_inherits i on i.inhparent = p.oid join pg_class c on c.oid = i.inhrelid
    cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
  where t.partstrat = 'r' and p.relnamespace = current_schema()::regnamespace
$function$;

CREATE OR REPLACE FUNCTION public.lock_event_sequence()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if coalesce(current_setting('patchbay.event_sequence_locked', true), '') = '' then
    perform pg_advisory_xact_lock_shared((20022::bigint << 48) + case when is_called then last_value else 0 end)
    from events_seq_seq;
    perform set_config('patchbay.event_sequence_locked', 'yes', true);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.report_account_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.report_mcp_server_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('changes', json_build_object('kind', 'mcp_servers_changed', 'projectId', old.project_id)::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.restrict_to_projects(name regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %s enable row level security', name);
  -- The subquery makes PostgreSQL read the setting once a statement.
  execute format('create policy of_project on %s using (project_id = any ((select current_projects())::text[]))', name);
end $function$;

CREATE OR REPLACE FUNCTION public.settled_events(OUT last_seq bigint, OUT settled_seq bigint)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
begin
  select case when is_called then last_value else 0 end into last_seq from events_seq_seq;
  select least(last_seq, min((l.classid::bigint & 65535) << 32 | l.objid::bigint)) into settled_seq from pg_locks l
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted and l.classid::bigint >> 16 = 20022
    and l.database = (select oid from pg_database where datname = current_database());
end $function$;

create table account_status_changes (
  id bigint generated always as identity not null,
  project_id text not null,
  connected_account_id text not null,
  from_status text,
  to_status text not null,
  reason text,
  at timestamp with time zone default now() not null,
  constraint account_status_changes_pkey PRIMARY KEY (id),
  constraint account_status_changes_connected_account_id_fkey FOREIGN KEY (connected_account_id) REFERENCES connected_accounts(id),
  constraint account_status_changes_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
CREATE INDEX account_status_changes_newest ON account_status_changes USING btree (project_id, connected_account_id, id DESC);
CREATE INDEX account_status_changes_oldest ON account_status_changes USING btree (at);
create policy of_project on account_status_changes for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table alert_rules (
  id text not null,
  project_id text not null,
  name text not null,
  condition text not null,
  threshold integer not null,
  window_minutes integer not null,
  channel text not null,
  encrypted_target bytea not null,
  is_enabled boolean default true not null,
  created_at timestamp with time zone default now() not null,
  checked_at timestamp with time zone,
  last_value double precision,
  firing_since timestamp with time zone,
  notified_at timestamp with time zone,
  last_error text,
  constraint alert_rules_pkey PRIMARY KEY (id),
  constraint alert_rules_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint alert_rules_channel_check CHECK (channel = ANY (ARRAY['webhook'::text, 'email'::text, 'slack'::text])),
  constraint alert_rules_condition_check CHECK (condition = ANY (ARRAY['account_expired'::text, 'trigger_stalled'::text, 'webhook_failing'::text, 'error_rate'::text, 'key_leaked'::text]))
);
CREATE INDEX alert_rules_due ON alert_rules USING btree (checked_at NULLS FIRST) WHERE is_enabled;
CREATE INDEX alert_rules_of_project ON alert_rules USING btree (project_id, created_at, id);
create policy of_project on alert_rules for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table api_keys (
  id text not null,
  auto_id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  kind text not null,
  organization_id text not null,
  project_id text,
  name text not null,
  key_hash bytea not null,
  encrypted_key bytea not null,
  permissions jsonb,
  allowed_ips text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  replaced_by text,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint api_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint api_keys_check CHECK ((kind = 'project'::text) = (project_id IS NOT NULL)),
  constraint api_keys_kind_check CHECK (kind = ANY (ARRAY['project'::text, 'organization'::text]))
);
CREATE INDEX api_keys_expiry ON api_keys USING btree (expires_at) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX api_keys_hash ON api_keys USING btree (key_hash);
CREATE INDEX api_keys_organization ON api_keys USING btree (organization_id, created_at, id) WHERE ((deleted_at IS NULL) AND (project_id IS NULL));
CREATE INDEX api_keys_project ON api_keys USING btree (project_id, created_at, id) WHERE (deleted_at IS NULL);
create policy of_project on api_keys for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table approval_decisions (
  id text not null,
  project_id text not null,
  event text not null,
  at timestamp with time zone default now() not null,
  approval_id text,
  policy_ids text[] not null,
  tool_slug text not null,
  user_id text,
  connected_account_id text,
  session_id text,
  decided_by text,
  log_id text,
  constraint approval_decisions_pkey PRIMARY KEY (id),
  constraint approval_decisions_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
CREATE INDEX approval_decisions_newest ON approval_decisions USING btree (project_id, at DESC, id);
CREATE INDEX approval_decisions_oldest ON approval_decisions USING btree (at);
create policy of_project on approval_decisions for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table approval_grants (
  project_id text not null,
  session_id text not null,
  tool_slug text not null,
  account text not null,
  approval_id text not null,
  created_at timestamp with time zone default now() not null,
  constraint approval_grants_pkey PRIMARY KEY (project_id, session_id, tool_slug, account),
  constraint approval_grants_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
create policy of_project on approval_grants for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table approvals (
  id text not null,
  project_id text not null,
  status text default 'pending'::text not null,
  session_id text,
  user_id text,
  tool_slug text not null,
  toolkit_slug text not null,
  version text not null,
  connected_account_id text,
  policy_ids text[] not null,
  reason text,
  choices text[] not null,
  seconds integer not null,
  binding bytea,
  encrypted_payload bytea,
  log_id text not null,
  used_log_id text,
  decided_by text,
  decided_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  event_id text,
  untrusted_sources jsonb default '[]'::jsonb not null,
  constraint approvals_pkey PRIMARY KEY (id),
  constraint approvals_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint approvals_check CHECK (
CASE
    WHEN binding IS NULL THEN status = ANY (ARRAY['denied'::text, 'used'::text, 'expired'::text])
    ELSE status = ANY (ARRAY['pending'::text, 'approved'::text, 'denied'::text])
END),
  constraint approvals_check1 CHECK ((encrypted_payload IS NOT NULL) = (status = ANY (ARRAY['pending'::text, 'approved'::text]))),
  constraint approvals_status_check CHECK (status = ANY (ARRAY['pending'::text, 'approved'::text, 'denied'::text, 'used'::text, 'expired'::text]))
);
CREATE UNIQUE INDEX approvals_binding ON approvals USING btree (project_id, binding) WHERE (binding IS NOT NULL);
CREATE INDEX approvals_expired ON approvals USING btree (expires_at) WHERE (binding IS NOT NULL);
CREATE INDEX approvals_newest ON approvals USING btree (project_id, created_at DESC, id);
create policy of_project on approvals for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table audit_chains (
  id text not null,
  organization_id text not null,
  project_id text,
  seq bigint not null,
  hash bytea not null,
  removed_seq bigint default 0 not null,
  removed_hash bytea,
  constraint audit_chains_pkey PRIMARY KEY (id)
);
create policy of_project on audit_chains for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table audit_intents (
  id text not null,
  entry text not null,
  created_at timestamp with time zone default now() not null,
  constraint audit_intents_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_intents_oldest ON audit_intents USING btree (created_at);

create table audit_log (
  id text not null,
  chain_id text not null,
  seq bigint not null,
  organization_id text not null,
  project_id text,
  created_at timestamp with time zone not null,
  actor_id text,
  action text not null,
  object_type text not null,
  object_id text,
  outcome text not null,
  entry text not null,
  hash bytea not null,
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_chain_id_seq_key UNIQUE (chain_id, seq),
  constraint audit_log_outcome_check CHECK (outcome = ANY (ARRAY['success'::text, 'failure'::text, 'unknown'::text]))
);
CREATE INDEX audit_log_organization ON audit_log USING btree (organization_id, created_at DESC, chain_id, seq DESC);
CREATE INDEX audit_log_project ON audit_log USING btree (project_id, created_at DESC, seq DESC);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_is_append_only();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
create policy of_project on audit_log for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table auth_configs (
  id text not null,
  uuid uuid default gen_random_uuid() not null,
  project_id text not null,
  toolkit_slug text not null,
  type text not null,
  name text not null,
  auth_scheme text not null,
  is_service_managed boolean not null,
  credentials bytea,
  shared_credentials bytea,
  proxy_config bytea,
  status text default 'ENABLED'::text not null,
  created_by text not null,
  tools_for_connected_account_creation text[] default '{}'::text[] not null,
  tools_available_for_execution text[] default '{}'::text[] not null,
  is_enabled_for_tool_router boolean default true not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint auth_configs_pkey PRIMARY KEY (id),
  constraint auth_configs_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint auth_configs_status_check CHECK (status = ANY (ARRAY['ENABLED'::text, 'DISABLED'::text])),
  constraint auth_configs_type_check CHECK (type = ANY (ARRAY['default'::text, 'custom'::text]))
);
CREATE INDEX auth_configs_newest ON auth_configs USING btree (project_id, created_at DESC, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX auth_configs_uuid ON auth_configs USING btree (uuid);
CREATE TRIGGER auth_configs_report_change AFTER DELETE OR UPDATE ON auth_configs FOR EACH ROW EXECUTE FUNCTION report_account_change();
create policy of_project on auth_configs for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table authorization_flows (
  state_hash bytea not null,
  short_id text not null,
  project_id text not null,
  connected_account_id text not null,
  kind text default 'connect'::text not null,
  secrets bytea not null,
  browser_hash bytea,
  browser_toolkit text,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint authorization_flows_pkey PRIMARY KEY (state_hash),
  constraint authorization_flows_short_id_key UNIQUE (short_id),
  constraint authorization_flows_connected_account_id_fkey FOREIGN KEY (connected_account_id) REFERENCES connected_accounts(id),
  constraint authorization_flows_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint authorization_flows_kind_check CHECK (kind = ANY (ARRAY['connect'::text, 'reconnect'::text]))
);
CREATE INDEX authorization_flows_account ON authorization_flows USING btree (connected_account_id);
CREATE INDEX authorization_flows_browser ON authorization_flows USING btree (browser_hash, browser_toolkit) WHERE ((browser_toolkit IS NOT NULL) AND (used_at IS NULL));
CREATE INDEX authorization_flows_expired ON authorization_flows USING btree (expires_at);
create policy of_project on authorization_flows for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table budget_usage (
  project_id text not null,
  budget_id text not null,
  subject text not null,
  period_start timestamp with time zone not null,
  used bigint not null,
  updated_at timestamp with time zone default now() not null,
  published_percent integer default 0 not null,
  published_amount bigint,
  constraint budget_usage_pkey PRIMARY KEY (budget_id, subject, period_start),
  constraint budget_usage_budget_id_fkey FOREIGN KEY (budget_id) REFERENCES budgets(id) ON DELETE CASCADE,
  constraint budget_usage_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
CREATE INDEX budget_usage_oldest ON budget_usage USING btree (period_start);
CREATE INDEX budget_usage_project ON budget_usage USING btree (project_id, budget_id, period_start DESC, used DESC);
create policy of_project on budget_usage for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table budgets (
  id text not null,
  project_id text not null,
  name text not null,
  metric text not null,
  scope text not null,
  subject text,
  period text not null,
  amount bigint not null,
  enabled boolean default true not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint budgets_pkey PRIMARY KEY (id),
  constraint budgets_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint budgets_amount_check CHECK (amount >= 0),
  constraint budgets_check CHECK (scope <> 'project'::text OR subject IS NULL),
  constraint budgets_check1 CHECK (metric <> 'storage_bytes'::text OR scope <> 'user'::text AND period = 'total'::text),
  constraint budgets_metric_check CHECK (metric = ANY (ARRAY['calls'::text, 'bytes'::text, 'model_tokens'::text, 'sandbox_seconds'::text, 'storage_bytes'::text])),
  constraint budgets_period_check CHECK (period = ANY (ARRAY['hour'::text, 'day'::text, 'month'::text, 'total'::text])),
  constraint budgets_scope_check CHECK (scope = ANY (ARRAY['project'::text, 'user'::text, 'session'::text]))
);
CREATE INDEX budgets_oldest ON budgets USING btree (project_id, created_at, id);
create policy of_project on budgets for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table connect_links (
  token_hash bytea not null,
  project_id text not null,
  connected_account_id text not null,
  kind text default 'connect'::text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint connect_links_pkey PRIMARY KEY (token_hash),
  constraint connect_links_connected_account_id_fkey FOREIGN KEY (connected_account_id) REFERENCES connected_accounts(id),
  constraint connect_links_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint connect_links_kind_check CHECK (kind = ANY (ARRAY['connect'::text, 'reconnect'::text]))
);
CREATE INDEX connect_links_account ON connect_links USING btree (connected_account_id);
CREATE INDEX connect_links_expired ON connect_links USING btree (expires_at);
create policy of_project on connect_links for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table connected_accounts (
  id text not null,
  uuid uuid default gen_random_uuid() not null,
  word_id text not null,
  alias text,
  project_id text not null,
  user_id text not null,
  auth_config_id text not null,
  toolkit_slug text not null,
  auth_scheme text not null,
  status text not null,
  status_reason text,
  credentials bytea not null,
  credentials_version integer default 1 not null,
  token_expires_at timestamp with time zone,
  refresh_lease text,
  refresh_lease_until timestamp with time zone,
  auth_failures integer default 0 not null,
  requested_scopes text[] default '{}'::text[] not null,
  requested_user_scopes text[] default '{}'::text[] not null,
  callback_url text,
  account_type text default 'PRIVATE'::text not null,
  acl jsonb,
  connected_at timestamp with time zone,
  setup_expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  refreshed_at timestamp with time zone,
  refresh_attempted_at timestamp with time zone,
  identity bytea,
  constraint connected_accounts_pkey PRIMARY KEY (id),
  constraint connected_accounts_auth_config_id_fkey FOREIGN KEY (auth_config_id) REFERENCES auth_configs(id),
  constraint connected_accounts_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint connected_accounts_account_type_check CHECK (account_type = ANY (ARRAY['PRIVATE'::text, 'SHARED'::text])),
  constraint connected_accounts_status_check CHECK (status = ANY (ARRAY['INITIALIZING'::text, 'INITIATED'::text, 'ACTIVE'::text, 'FAILED'::text, 'EXPIRED'::text, 'INACTIVE'::text, 'REVOKED'::text]))
);
CREATE INDEX connected_accounts_active ON connected_accounts USING btree (project_id, user_id, toolkit_slug, connected_at DESC, id) WHERE ((deleted_at IS NULL) AND (status = 'ACTIVE'::text));
CREATE UNIQUE INDEX connected_accounts_alias ON connected_accounts USING btree (project_id, user_id, toolkit_slug, alias) WHERE ((deleted_at IS NULL) AND (alias IS NOT NULL));
CREATE INDEX connected_accounts_auth_config ON connected_accounts USING btree (auth_config_id) WHERE (deleted_at IS NULL);
CREATE INDEX connected_accounts_idle ON connected_accounts USING btree (toolkit_slug, auth_scheme, COALESCE(refreshed_at, connected_at)) WHERE ((status = 'ACTIVE'::text) AND (deleted_at IS NULL));
CREATE INDEX connected_accounts_newest ON connected_accounts USING btree (project_id, created_at DESC, id DESC) INCLUDE (account_type, status, toolkit_slug, setup_expires_at) WHERE (deleted_at IS NULL);
CREATE INDEX connected_accounts_refresh_lease ON connected_accounts USING btree (refresh_lease_until) WHERE (refresh_lease IS NOT NULL);
CREATE INDEX connected_accounts_setup_expiry ON connected_accounts USING btree (setup_expires_at) WHERE ((setup_expires_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX connected_accounts_user ON connected_accounts USING btree (project_id, user_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX connected_accounts_uuid ON connected_accounts USING btree (uuid);
CREATE TRIGGER connected_accounts_report_change AFTER UPDATE ON connected_accounts FOR EACH ROW WHEN (old.project_id IS DISTINCT FROM new.project_id OR old.user_id IS DISTINCT FROM new.user_id OR old.auth_config_id IS DISTINCT FROM new.auth_config_id OR old.toolkit_slug IS DISTINCT FROM new.toolkit_slug OR old.auth_scheme IS DISTINCT FROM new.auth_scheme OR old.status IS DISTINCT FROM new.status OR old.status_reason IS DISTINCT FROM new.status_reason OR old.credentials IS DISTINCT FROM new.credentials OR old.credentials_version IS DISTINCT FROM new.credentials_version OR old.token_expires_at IS DISTINCT FROM new.token_expires_at OR old.auth_failures IS DISTINCT FROM new.auth_failures OR old.account_type IS DISTINCT FROM new.account_type OR old.acl IS DISTINCT FROM new.acl OR old.connected_at IS DISTINCT FROM new.connected_at OR old.setup_expires_at IS DISTINCT FROM new.setup_expires_at OR old.deleted_at IS DISTINCT FROM new.deleted_at) EXECUTE FUNCTION report_account_change();
CREATE TRIGGER connected_accounts_report_row AFTER INSERT OR DELETE ON connected_accounts FOR EACH ROW EXECUTE FUNCTION report_account_change();
create policy of_project on connected_accounts for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table console_sessions (
  id text not null,
  token_hash bytea not null,
  organization_id text not null,
  key_id text,
  ip text not null,
  user_agent text not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  member_id text,
  provider_revision text,
  constraint console_sessions_pkey PRIMARY KEY (id),
  constraint console_sessions_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id),
  constraint console_sessions_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint console_sessions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint console_sessions_check CHECK ((key_id IS NULL) <> (member_id IS NULL))
);
CREATE INDEX console_sessions_expiry ON console_sessions USING btree (expires_at);
CREATE INDEX console_sessions_member ON console_sessions USING btree (member_id);
CREATE UNIQUE INDEX console_sessions_token ON console_sessions USING btree (token_hash);

create table events (
  id text not null,
  created_at timestamp with time zone default now() not null,
  seq bigint default nextval('events_seq_seq'::regclass) not null,
  project_id text not null,
  type text not null,
  ordering_key text,
  data jsonb,
  encrypted_payload bytea,
  constraint events_pkey PRIMARY KEY (id, created_at),
  constraint events_ordering_key_check CHECK (length(ordering_key) <= 200)
) PARTITION BY RANGE (created_at);
CREATE INDEX events_by_seq ON events USING btree (project_id, seq);
CREATE INDEX events_newest ON events USING btree (project_id, created_at);
CREATE TRIGGER events_lock_sequence BEFORE INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION lock_event_sequence();
create policy of_project on events for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table files (
  id text not null,
  project_id text not null,
  kind text not null,
  object_key text not null,
  toolkit_slug text not null,
  tool_slug text not null,
  filename text not null,
  mimetype text not null,
  md5 text not null,
  size bigint,
  created_at timestamp with time zone default now() not null,
  uploaded_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  session_id text,
  mount_path text,
  encrypted_key bytea,
  constraint files_pkey PRIMARY KEY (id),
  constraint files_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint files_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id),
  constraint files_check CHECK ((kind = 'mount'::text) = (session_id IS NOT NULL AND mount_path IS NOT NULL)),
  constraint files_kind_check CHECK (kind = ANY (ARRAY['request'::text, 'result'::text, 'mount'::text])),
  constraint files_mount_path_check CHECK (octet_length(mount_path) <= 1024)
);
CREATE INDEX files_clear_mounts ON files USING btree (id) WHERE ((kind = 'mount'::text) AND (encrypted_key IS NULL) AND (uploaded_at IS NOT NULL));
CREATE INDEX files_expired ON files USING btree (expires_at);
CREATE UNIQUE INDEX files_key ON files USING btree (project_id, object_key);
CREATE UNIQUE INDEX files_mount ON files USING btree (session_id, mount_path COLLATE "C") WHERE ((kind = 'mount'::text) AND (uploaded_at IS NOT NULL));
CREATE INDEX files_newest ON files USING btree (project_id, created_at DESC, id);
CREATE UNIQUE INDEX files_same ON files USING btree (project_id, toolkit_slug, tool_slug, md5, filename, mimetype) WHERE (kind = 'request'::text);
create policy of_project on files for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table idempotency_keys (
  id text not null,
  project_id text not null,
  log_id text not null,
  status text default 'running'::text not null,
  encrypted_payload bytea not null,
  lease_until timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (id),
  constraint idempotency_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint idempotency_keys_status_check CHECK (status = ANY (ARRAY['running'::text, 'done'::text]))
);
CREATE INDEX idempotency_keys_expired ON idempotency_keys USING btree (expires_at);
create policy of_project on idempotency_keys for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table incidents (
  id text not null,
  organization_id text not null,
  project_id text,
  toolkit_slug text,
  user_id text,
  reason text,
  created_at timestamp with time zone default now() not null,
  revoked jsonb default '{}'::jsonb not null,
  constraint incidents_pkey PRIMARY KEY (id),
  constraint incidents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint incidents_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint incidents_check CHECK (COALESCE(project_id, toolkit_slug, user_id) IS NOT NULL)
);
CREATE INDEX incidents_newest ON incidents USING btree (organization_id, created_at DESC, id);
create policy of_project on incidents for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table mcp_authorizations (
  id text not null,
  project_id text not null,
  resource_kind text not null,
  resource_id text not null,
  requested_user_id text,
  client_id text not null,
  client_name text,
  redirect_uri text not null,
  state text,
  code_challenge text not null,
  browser_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  user_id text,
  code_hash bytea,
  code_expires_at timestamp with time zone,
  grant_id text,
  source_hash bytea,
  dpop_jkt text,
  requires_dpop boolean default false not null,
  client_auth text,
  prompt text,
  provider_responses smallint default 0 not null,
  constraint mcp_authorizations_pkey PRIMARY KEY (id),
  constraint mcp_authorizations_code_hash_key UNIQUE (code_hash),
  constraint mcp_authorizations_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
CREATE INDEX mcp_authorizations_browser ON mcp_authorizations USING btree (browser_hash, created_at);
CREATE INDEX mcp_authorizations_expired ON mcp_authorizations USING btree (expires_at);
CREATE INDEX mcp_authorizations_open ON mcp_authorizations USING btree (source_hash, expires_at) WHERE (decided_at IS NULL);
create policy of_project on mcp_authorizations for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table mcp_clients (
  id text not null,
  name text,
  redirect_uris text[] not null,
  auth_method text not null,
  secret_hash bytea,
  source_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone,
  jwks jsonb,
  jwks_uri text,
  requires_pushed_requests boolean default false not null,
  requires_dpop boolean default false not null,
  constraint mcp_clients_pkey PRIMARY KEY (id),
  constraint mcp_clients_auth_method_check CHECK (auth_method = ANY (ARRAY['none'::text, 'client_secret_basic'::text, 'client_secret_post'::text, 'private_key_jwt'::text])),
  constraint mcp_clients_keys_check CHECK ((auth_method = 'private_key_jwt'::text) = (num_nonnulls(jwks, jwks_uri) = 1)),
  constraint mcp_clients_name_check CHECK (length(name) <= 200),
  constraint mcp_clients_redirect_uris_check CHECK (cardinality(redirect_uris) >= 1 AND cardinality(redirect_uris) <= 20),
  constraint mcp_clients_secret_check CHECK ((auth_method = ANY (ARRAY['client_secret_basic'::text, 'client_secret_post'::text])) = (secret_hash IS NOT NULL))
);
CREATE INDEX mcp_clients_created ON mcp_clients USING btree (created_at);
CREATE INDEX mcp_clients_source ON mcp_clients USING btree (source_hash, created_at);

create table mcp_grants (
  id text not null,
  project_id text not null,
  resource_kind text not null,
  resource_id text not null,
  user_id text not null,
  client_id text not null,
  client_name text,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone default now() not null,
  client_auth text,
  constraint mcp_grants_pkey PRIMARY KEY (id),
  constraint mcp_grants_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
CREATE INDEX mcp_grants_client ON mcp_grants USING btree (client_id);
CREATE INDEX mcp_grants_created ON mcp_grants USING btree (project_id, created_at DESC);
CREATE INDEX mcp_grants_user ON mcp_grants USING btree (project_id, user_id, created_at DESC);
create policy of_project on mcp_grants for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table mcp_openid_providers (
  project_id text not null,
  issuer text not null,
  client_id text not null,
  encrypted_client_secret bytea,
  name text not null,
  scopes text not null,
  user_id_claim text not null,
  updated_at timestamp with time zone default now() not null,
  constraint mcp_openid_providers_pkey PRIMARY KEY (project_id),
  constraint mcp_openid_providers_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
create policy of_project on mcp_openid_providers for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table mcp_pushed_requests (
  request_hash bytea not null,
  client_id text not null,
  parameters jsonb not null,
  dpop_jkt text,
  source_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint mcp_pushed_requests_pkey PRIMARY KEY (request_hash)
);
CREATE INDEX mcp_pushed_requests_expired ON mcp_pushed_requests USING btree (expires_at);
CREATE INDEX mcp_pushed_requests_source ON mcp_pushed_requests USING btree (source_hash, expires_at);

create table mcp_server_instances (
  id uuid default gen_random_uuid() not null,
  project_id text not null,
  server_id uuid not null,
  user_id text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint mcp_server_instances_pkey PRIMARY KEY (id),
  constraint mcp_server_instances_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint mcp_server_instances_server_id_fkey FOREIGN KEY (server_id) REFERENCES mcp_servers(id)
);
CREATE UNIQUE INDEX mcp_server_instances_user ON mcp_server_instances USING btree (server_id, user_id);
create policy of_project on mcp_server_instances for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table mcp_servers (
  id uuid default gen_random_uuid() not null,
  project_id text not null,
  name text not null,
  auth_config_ids text[] not null,
  toolkits text[] not null,
  allowed_tools text[] not null,
  managed_auth boolean not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint mcp_servers_pkey PRIMARY KEY (id),
  constraint mcp_servers_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint mcp_servers_name_check CHECK (length(name) >= 4 AND length(name) <= 30)
);
CREATE INDEX mcp_servers_changed ON mcp_servers USING btree (project_id, updated_at DESC, id) WHERE (deleted_at IS NULL);
CREATE TRIGGER mcp_servers_report_change AFTER DELETE OR UPDATE ON mcp_servers FOR EACH ROW EXECUTE FUNCTION report_mcp_server_change();
create policy of_project on mcp_servers for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table mcp_sign_ins (
  token_hash bytea not null,
  project_id text not null,
  resource_kind text not null,
  resource_id text not null,
  user_id text not null,
  authorization_id text,
  expires_at timestamp with time zone not null,
  browser_hash bytea,
  used_at timestamp with time zone,
  provider_key text,
  constraint mcp_sign_ins_pkey PRIMARY KEY (token_hash),
  constraint mcp_sign_ins_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint mcp_sign_ins_check CHECK ((used_at IS NULL) = (browser_hash IS NULL))
);
CREATE INDEX mcp_sign_ins_browser ON mcp_sign_ins USING btree (browser_hash, used_at) WHERE (browser_hash IS NOT NULL);
CREATE INDEX mcp_sign_ins_expired ON mcp_sign_ins USING btree (expires_at);
create policy of_project on mcp_sign_ins for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table mcp_tokens (
  token_hash bytea not null,
  grant_id text not null,
  kind text not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  uses integer default 0 not null,
  successor_salt bytea,
  dpop_jkt text,
  constraint mcp_tokens_pkey PRIMARY KEY (token_hash),
  constraint mcp_tokens_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES mcp_grants(id) ON DELETE CASCADE,
  constraint mcp_tokens_kind_check CHECK (kind = ANY (ARRAY['access'::text, 'refresh'::text]))
);
CREATE INDEX mcp_tokens_expired ON mcp_tokens USING btree (expires_at);
CREATE INDEX mcp_tokens_grant ON mcp_tokens USING btree (grant_id);
create policy of_project on mcp_tokens for all using ((EXISTS ( SELECT FROM mcp_grants g WHERE (g.id = mcp_tokens.grant_id))));

create table mcp_used_proofs (
  proof_hash bytea not null,
  expires_at timestamp with time zone not null,
  source_hash bytea default '\x'::bytea not null,
  constraint mcp_used_proofs_pkey PRIMARY KEY (proof_hash)
);
CREATE INDEX mcp_used_proofs_expired ON mcp_used_proofs USING btree (expires_at);
CREATE INDEX mcp_used_proofs_source ON mcp_used_proofs USING btree (source_hash, expires_at);

create table member_identities (
  issuer text not null,
  subject text not null,
  member_id text not null,
  created_at timestamp with time zone default now() not null,
  constraint member_identities_pkey PRIMARY KEY (issuer, subject),
  constraint member_identities_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);
CREATE INDEX member_identities_member ON member_identities USING btree (member_id);

create table member_links (
  token_hash bytea not null,
  organization_id text not null,
  member_id text,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint member_links_pkey PRIMARY KEY (token_hash),
  constraint member_links_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint member_links_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table member_passkeys (
  id text not null,
  member_id text not null,
  name text not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  is_synced boolean not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint member_passkeys_pkey PRIMARY KEY (id),
  constraint member_passkeys_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);
CREATE INDEX member_passkeys_member ON member_passkeys USING btree (member_id);

create table member_recovery_codes (
  member_id text not null,
  code_hash bytea not null,
  constraint member_recovery_codes_pkey PRIMARY KEY (member_id, code_hash),
  constraint member_recovery_codes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);

create table member_roles (
  member_id text not null,
  project_id text not null,
  role text not null,
  constraint member_roles_pkey PRIMARY KEY (member_id, project_id),
  constraint member_roles_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint member_roles_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint member_roles_role_check CHECK (role = ANY (ARRAY['developer'::text, 'operator'::text, 'viewer'::text]))
);
create policy of_project on member_roles for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table member_totp (
  member_id text not null,
  encrypted_secret bytea not null,
  last_step bigint default 0 not null,
  confirmed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint member_totp_pkey PRIMARY KEY (member_id),
  constraint member_totp_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);

create table members (
  id text not null,
  organization_id text not null,
  email text not null,
  name text not null,
  role text not null,
  password_hash text,
  last_sign_in_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint members_pkey PRIMARY KEY (id),
  constraint members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint members_role_check CHECK (role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text]))
);
CREATE UNIQUE INDEX members_email ON members USING btree (organization_id, lower(email));

create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint migrations_pkey PRIMARY KEY (name)
);

create table organization_openid_providers (
  organization_id text not null,
  issuer text not null,
  client_id text not null,
  encrypted_client_secret bytea,
  name text not null,
  scopes text not null,
  allowed_domains text[] not null,
  trusts_email boolean not null,
  role_claim text not null,
  role_map jsonb not null,
  default_role text,
  is_only boolean default false not null,
  revision text not null,
  updated_at timestamp with time zone default now() not null,
  constraint organization_openid_providers_pkey PRIMARY KEY (organization_id),
  constraint organization_openid_providers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);

create table organizations (
  id text not null,
  name text not null,
  plan text default 'SELF_HOSTED'::text not null,
  created_at timestamp with time zone default now() not null,
  constraint organizations_pkey PRIMARY KEY (id)
);

create table pending_connections (
  id text not null,
  project_id text not null,
  connected_account_id text not null,
  waits_for text not null,
  key_hash bytea not null,
  encrypted_payload bytea not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint pending_connections_pkey PRIMARY KEY (id),
  constraint pending_connections_connected_account_id_fkey FOREIGN KEY (connected_account_id) REFERENCES connected_accounts(id),
  constraint pending_connections_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint pending_connections_waits_for_check CHECK (waits_for = ANY (ARRAY['choice'::text, 'confirmation'::text]))
);
CREATE INDEX pending_connections_account ON pending_connections USING btree (connected_account_id);
CREATE UNIQUE INDEX pending_connections_confirmation ON pending_connections USING btree (key_hash) WHERE (waits_for = 'confirmation'::text);
CREATE INDEX pending_connections_expired ON pending_connections USING btree (expires_at);
create policy of_project on pending_connections for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table policies (
  id text not null,
  project_id text not null,
  name text not null,
  outcome text not null,
  enabled boolean not null,
  fallback boolean not null,
  message text,
  covers_proxy boolean not null,
  approval_seconds integer not null,
  approval_link boolean not null,
  conditions json not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint policies_pkey PRIMARY KEY (id),
  constraint policies_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint policies_approval_seconds_check CHECK (approval_seconds >= 60 AND approval_seconds <= 86400),
  constraint policies_outcome_check CHECK (outcome = ANY (ARRAY['allow'::text, 'ask'::text, 'deny'::text]))
);
CREATE INDEX policies_oldest ON policies USING btree (project_id, created_at, id);
create policy of_project on policies for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table project_data_keys (
  id text not null,
  project_id text not null,
  encrypted_key bytea not null,
  created_at timestamp with time zone default now() not null,
  replaced_at timestamp with time zone,
  purpose text default 'encryption'::text not null,
  constraint project_data_keys_pkey PRIMARY KEY (id),
  constraint project_data_keys_purpose_check CHECK (purpose = ANY (ARRAY['encryption'::text, 'hashing'::text]))
);
CREATE UNIQUE INDEX project_data_keys_current ON project_data_keys USING btree (project_id, purpose) WHERE (replaced_at IS NULL);
CREATE INDEX project_data_keys_project ON project_data_keys USING btree (project_id);
create policy of_project on project_data_keys for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table project_deletions (
  id text not null,
  organization_id text not null,
  project_id text not null,
  status text default 'pending'::text not null,
  removed jsonb default '{}'::jsonb not null,
  last_error text,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint project_deletions_pkey PRIMARY KEY (id),
  constraint project_deletions_project_id_key UNIQUE (project_id),
  constraint project_deletions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  constraint project_deletions_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint project_deletions_check CHECK ((status = 'pending'::text) = (finished_at IS NULL)),
  constraint project_deletions_status_check CHECK (status = ANY (ARRAY['pending'::text, 'done'::text]))
);
CREATE INDEX project_deletions_pending ON project_deletions USING btree (created_at) WHERE (status = 'pending'::text);
create policy of_project on project_deletions for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table project_models (
  project_id text not null,
  base_url text not null,
  model text not null,
  encrypted_key bytea,
  updated_at timestamp with time zone default now() not null,
  constraint project_models_pkey PRIMARY KEY (project_id),
  constraint project_models_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
create policy of_project on project_models for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table projects (
  id text not null,
  auto_id bigint generated always as identity not null,
  uuid uuid default gen_random_uuid() not null,
  organization_id text not null,
  name text not null,
  config jsonb default '{}'::jsonb not null,
  triggers_enabled boolean default true not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  is_demo boolean default false not null,
  constraint projects_pkey PRIMARY KEY (id),
  constraint projects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE UNIQUE INDEX projects_demo ON projects USING btree (organization_id) WHERE (is_demo AND (deleted_at IS NULL));
CREATE UNIQUE INDEX projects_name ON projects USING btree (organization_id, name) WHERE (deleted_at IS NULL);
CREATE INDEX projects_newest ON projects USING btree (organization_id, created_at DESC, id) WHERE (deleted_at IS NULL);
create policy of_project on projects for all using ((id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table provider_requests (
  id bigint generated always as identity not null,
  project_id text not null,
  connected_account_id text not null,
  kind text not null,
  at timestamp with time zone not null,
  duration_ms integer not null,
  request jsonb,
  response jsonb not null,
  outcome text not null,
  code text,
  constraint provider_requests_pkey PRIMARY KEY (id),
  constraint provider_requests_kind_check CHECK (kind = ANY (ARRAY['start'::text, 'code'::text, 'refresh'::text, 'sign_in'::text, 'revoke'::text, 'probe'::text, 'follow_up'::text, 'post_connect'::text])),
  constraint provider_requests_outcome_check CHECK (outcome = ANY (ARRAY['ok'::text, 'refused'::text, 'trouble'::text]))
);
CREATE INDEX provider_requests_newest ON provider_requests USING btree (project_id, connected_account_id, id DESC);
CREATE INDEX provider_requests_oldest ON provider_requests USING btree (at);
create policy of_project on provider_requests for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table rate_limit_cooldowns (
  project_id text not null,
  key text not null,
  until timestamp with time zone not null,
  constraint rate_limit_cooldowns_pkey PRIMARY KEY (project_id, key),
  constraint rate_limit_cooldowns_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint rate_limit_cooldowns_key_check CHECK (length(key) <= 200)
);
CREATE INDEX rate_limit_cooldowns_until ON rate_limit_cooldowns USING btree (until);
create policy of_project on rate_limit_cooldowns for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table rate_limit_windows (
  subject text not null,
  window_start timestamp with time zone not null,
  used bigint not null,
  constraint rate_limit_windows_pkey PRIMARY KEY (subject, window_start)
);

create table recipe_runs (
  id text not null,
  project_id text not null,
  session_id text not null,
  recipe_version_id text not null,
  encrypted_payload bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint recipe_runs_pkey PRIMARY KEY (id),
  constraint recipe_runs_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint recipe_runs_recipe_version_id_fkey FOREIGN KEY (recipe_version_id) REFERENCES recipe_versions(id) ON DELETE CASCADE,
  constraint recipe_runs_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX recipe_runs_project ON recipe_runs USING btree (project_id);
CREATE INDEX recipe_runs_session ON recipe_runs USING btree (session_id, created_at);
CREATE INDEX recipe_runs_version ON recipe_runs USING btree (recipe_version_id);
create policy of_project on recipe_runs for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table recipe_versions (
  id text not null,
  recipe_id text not null,
  version integer not null,
  encrypted_payload bytea not null,
  created_at timestamp with time zone default now() not null,
  is_untrusted boolean default true not null,
  constraint recipe_versions_pkey PRIMARY KEY (id),
  constraint recipe_versions_recipe_id_version_key UNIQUE (recipe_id, version),
  constraint recipe_versions_recipe_id_fkey FOREIGN KEY (recipe_id) REFERENCES recipes(id) ON DELETE CASCADE
);
create policy of_project on recipe_versions for all using ((EXISTS ( SELECT FROM recipes r WHERE (r.id = recipe_versions.recipe_id))));

create table recipes (
  id text not null,
  project_id text not null,
  user_id text not null,
  slug text not null,
  name text not null,
  description text not null,
  version integer not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint recipes_pkey PRIMARY KEY (id),
  constraint recipes_project_id_user_id_slug_key UNIQUE (project_id, user_id, slug),
  constraint recipes_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
create policy of_project on recipes for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table response_pages (
  id text not null,
  project_id text not null,
  response_id text not null,
  first_page integer not null,
  last_page integer not null,
  encrypted_payload bytea not null,
  expires_at timestamp with time zone not null,
  constraint response_pages_pkey PRIMARY KEY (id),
  constraint response_pages_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
CREATE INDEX response_pages_expired ON response_pages USING btree (expires_at);
CREATE INDEX response_pages_response ON response_pages USING btree (project_id, response_id, first_page);
create policy of_project on response_pages for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table revocations (
  id text not null,
  job_id text not null,
  project_id text not null,
  connected_account_id text not null,
  incident_id text,
  status text default 'pending'::text not null,
  attempts integer default 0 not null,
  last_error text,
  revoked_tokens text[] default '{}'::text[] not null,
  encrypted_payload bytea,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint revocations_pkey PRIMARY KEY (id),
  constraint revocations_connected_account_id_fkey FOREIGN KEY (connected_account_id) REFERENCES connected_accounts(id),
  constraint revocations_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id),
  constraint revocations_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint revocations_check CHECK (status = 'pending'::text OR encrypted_payload IS NULL),
  constraint revocations_status_check CHECK (status = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text, 'unsupported'::text]))
);
CREATE INDEX revocations_incident ON revocations USING btree (incident_id, created_at, id) WHERE (incident_id IS NOT NULL);
CREATE INDEX revocations_job ON revocations USING btree (project_id, job_id);
CREATE UNIQUE INDEX revocations_pending ON revocations USING btree (connected_account_id) WHERE (status = 'pending'::text);
create policy of_project on revocations for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table sandbox_runs (
  id text not null,
  project_id text not null,
  session_id text not null,
  owner text not null,
  state text default 'waiting'::text not null,
  encrypted_payload bytea,
  created_at timestamp with time zone default now() not null,
  constraint sandbox_runs_pkey PRIMARY KEY (id),
  constraint sandbox_runs_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint sandbox_runs_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'running'::text, 'rejected'::text, 'ended'::text]))
);
CREATE INDEX sandbox_runs_session ON sandbox_runs USING btree (session_id);
create policy of_project on sandbox_runs for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table saved_session_configs (
  id text not null,
  project_id text not null,
  name text not null,
  description text default ''::text not null,
  config jsonb,
  archived boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  encrypted_config bytea,
  constraint saved_session_configs_pkey PRIMARY KEY (id),
  constraint saved_session_configs_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint saved_session_configs_has_config CHECK (num_nonnulls(config, encrypted_config) = 1)
);
CREATE UNIQUE INDEX saved_session_configs_name ON saved_session_configs USING btree (project_id, name) WHERE (NOT archived);
CREATE INDEX saved_session_configs_newest ON saved_session_configs USING btree (project_id, created_at DESC, id);
create policy of_project on saved_session_configs for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table session_configs (
  session_id text not null,
  version integer not null,
  config jsonb,
  superseded_at timestamp with time zone default now() not null,
  encrypted_config bytea,
  id text not null,
  constraint session_configs_pkey PRIMARY KEY (session_id, version),
  constraint session_configs_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint session_configs_has_config CHECK (num_nonnulls(config, encrypted_config) = 1)
);
CREATE UNIQUE INDEX session_configs_id ON session_configs USING btree (id);
create policy of_project on session_configs for all using ((EXISTS ( SELECT FROM sessions s WHERE (s.id = session_configs.session_id))));

create table session_sandboxes (
  session_id text not null,
  project_id text not null,
  owner text not null,
  sandbox_id text default ''::text not null,
  busy_until timestamp with time zone,
  updated_at timestamp with time zone default now() not null,
  run_digest bytea,
  encrypted_outcome bytea,
  ended_at timestamp with time zone,
  constraint session_sandboxes_pkey PRIMARY KEY (session_id),
  constraint session_sandboxes_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
create policy of_project on session_sandboxes for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table sessions (
  id text not null,
  project_id text not null,
  user_id text not null,
  config jsonb,
  config_version integer default 1 not null,
  labs_key bytea,
  created_at timestamp with time zone default now() not null,
  configured_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  encrypted_config bytea,
  auth_config_ids text[] default '{}'::text[] not null,
  account_ids text[] default '{}'::text[] not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint sessions_has_config CHECK (num_nonnulls(config, encrypted_config) = 1)
);
CREATE INDEX sessions_created ON sessions USING btree (project_id, created_at DESC, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX sessions_labs ON sessions USING btree (project_id, user_id, labs_key) WHERE ((labs_key IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX sessions_user ON sessions USING btree (project_id, user_id, created_at DESC, id) WHERE (deleted_at IS NULL);
create policy of_project on sessions for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table tool_embeddings (
  project_id text,
  model text not null,
  text_digest bytea not null,
  vector bytea not null,
  used_on date default CURRENT_DATE not null,
  constraint tool_embeddings_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
CREATE INDEX tool_embeddings_project ON tool_embeddings USING btree (project_id) WHERE (project_id IS NOT NULL);
CREATE UNIQUE INDEX tool_embeddings_text ON tool_embeddings USING btree (COALESCE(project_id, ''::text), model, text_digest);
CREATE INDEX tool_embeddings_unused ON tool_embeddings USING btree (used_on);
create policy of_project on tool_embeddings for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table tool_executions (
  id text not null,
  created_at timestamp with time zone default now() not null,
  request_bytes bigint,
  response_bytes bigint,
  status_code integer,
  duration_ms integer,
  requests integer,
  successful boolean,
  dry_run boolean default false not null,
  project_id text not null,
  tool_slug text not null,
  toolkit_slug text not null,
  version text not null,
  effect text,
  user_id text,
  connected_account_id text,
  auth_config_id text,
  session_id text,
  sandbox_id text,
  parent_id text,
  request_id text not null,
  source jsonb,
  timings jsonb,
  error text,
  encrypted_error bytea,
  payload bytea,
  constraint tool_executions_pkey PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX tool_executions_account ON tool_executions USING btree (project_id, connected_account_id, created_at) WHERE (connected_account_id IS NOT NULL);
CREATE INDEX tool_executions_newest ON tool_executions USING btree (project_id, created_at);
CREATE INDEX tool_executions_request ON tool_executions USING btree (project_id, request_id);
CREATE INDEX tool_executions_tool ON tool_executions USING btree (project_id, tool_slug, created_at);
CREATE INDEX tool_executions_user ON tool_executions USING btree (project_id, user_id, created_at) WHERE (user_id IS NOT NULL);
create policy of_project on tool_executions for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table toolkit_contents (
  digest text not null,
  bytes bytea not null,
  constraint toolkit_contents_pkey PRIMARY KEY (digest),
  constraint toolkit_contents_digest_check CHECK (digest ~ '^[0-9a-f]{64}$'::text)
);

create table toolkit_versions (
  id bigint generated always as identity not null,
  toolkit_id bigint not null,
  project_id text,
  version text not null,
  digest text not null,
  changes text not null,
  source_kind text not null,
  source_url text,
  tools_count integer not null,
  size integer not null,
  quarantined jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint toolkit_versions_pkey PRIMARY KEY (id),
  constraint toolkit_versions_toolkit_id_version_key UNIQUE (toolkit_id, version),
  constraint toolkit_versions_digest_fkey FOREIGN KEY (digest) REFERENCES toolkit_contents(digest),
  constraint toolkit_versions_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint toolkit_versions_toolkit_id_fkey FOREIGN KEY (toolkit_id) REFERENCES toolkits(id) ON DELETE CASCADE,
  constraint toolkit_versions_version_check CHECK (version ~ '^\d{8}_\d{2}$'::text)
);
CREATE INDEX toolkit_versions_digest ON toolkit_versions USING btree (digest);
CREATE INDEX toolkit_versions_project ON toolkit_versions USING btree (project_id, id);
create policy of_installation on toolkit_versions for select using ((project_id IS NULL));
create policy of_project on toolkit_versions for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table toolkits (
  id bigint generated always as identity not null,
  project_id text,
  slug text not null,
  origins jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint toolkits_pkey PRIMARY KEY (id),
  constraint toolkits_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
CREATE UNIQUE INDEX toolkits_of_installation ON toolkits USING btree (slug) WHERE (project_id IS NULL);
CREATE UNIQUE INDEX toolkits_of_project ON toolkits USING btree (project_id, slug) WHERE (project_id IS NOT NULL);
create policy of_installation on toolkits for select using ((project_id IS NULL));
create policy of_project on toolkits for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table trigger_instances (
  id text not null,
  uuid uuid default gen_random_uuid() not null,
  project_id text not null,
  connected_account_id text not null,
  toolkit_slug text not null,
  trigger_slug text not null,
  version text not null,
  config jsonb,
  config_hash text not null,
  delivery_mode text,
  account_key text,
  disabled_at timestamp with time zone,
  disabled_reason text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  encrypted_config bytea,
  interval_minutes double precision,
  constraint trigger_instances_pkey PRIMARY KEY (id),
  constraint trigger_instances_connected_account_id_fkey FOREIGN KEY (connected_account_id) REFERENCES connected_accounts(id),
  constraint trigger_instances_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint trigger_instances_check CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
  constraint trigger_instances_delivery_mode_check CHECK (delivery_mode = ANY (ARRAY['instance'::text, 'app'::text])),
  constraint trigger_instances_has_config CHECK (num_nonnulls(config, encrypted_config) = 1)
);
CREATE INDEX trigger_instances_app ON trigger_instances USING btree (project_id, toolkit_slug, account_key) WHERE ((delivery_mode = 'app'::text) AND (disabled_at IS NULL) AND (deleted_at IS NULL));
CREATE INDEX trigger_instances_newest ON trigger_instances USING btree (project_id, created_at DESC, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX trigger_instances_same ON trigger_instances USING btree (connected_account_id, trigger_slug, config_hash) WHERE (deleted_at IS NULL);
CREATE INDEX trigger_instances_toolkit ON trigger_instances USING btree (project_id, toolkit_slug) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX trigger_instances_uuid ON trigger_instances USING btree (uuid);
create policy of_project on trigger_instances for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table trigger_logs (
  id text not null,
  created_at timestamp with time zone default now() not null,
  seq bigint default nextval('trigger_logs_seq_seq'::regclass) not null,
  project_id text not null,
  instance_id text not null,
  kind text not null,
  event_id text,
  message text,
  encrypted_message bytea,
  constraint trigger_logs_pkey PRIMARY KEY (id, created_at),
  constraint trigger_logs_kind_check CHECK (kind = ANY (ARRAY['event'::text, 'failure'::text, 'gap'::text, 'disabled'::text, 'enabled'::text]))
) PARTITION BY RANGE (created_at);
CREATE INDEX trigger_logs_instance ON trigger_logs USING btree (instance_id, seq);
CREATE INDEX trigger_logs_newest ON trigger_logs USING btree (project_id, seq);
create policy of_project on trigger_logs for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table trigger_polls (
  instance_id text not null,
  project_id text not null,
  next_run timestamp with time zone,
  claim bigint default 0 not null,
  state bytea,
  interval_seconds integer not null,
  last_run timestamp with time zone,
  last_ok timestamp with time zone,
  failures integer default 0 not null,
  failing_since timestamp with time zone,
  constraint trigger_polls_pkey PRIMARY KEY (instance_id),
  constraint trigger_polls_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES trigger_instances(id) ON DELETE CASCADE,
  constraint trigger_polls_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
CREATE INDEX trigger_polls_due ON trigger_polls USING btree (project_id, next_run) WHERE (next_run IS NOT NULL);
create policy of_project on trigger_polls for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table trigger_registrations (
  url_token text not null,
  project_id text not null,
  instance_id text not null,
  connected_account_id text not null,
  toolkit_slug text not null,
  trigger_slug text not null,
  version text not null,
  state bytea not null,
  registered_at timestamp with time zone,
  expires_at timestamp with time zone,
  renew_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint trigger_registrations_pkey PRIMARY KEY (url_token),
  constraint trigger_registrations_connected_account_id_fkey FOREIGN KEY (connected_account_id) REFERENCES connected_accounts(id),
  constraint trigger_registrations_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
CREATE INDEX trigger_registrations_instance ON trigger_registrations USING btree (instance_id);
CREATE INDEX trigger_registrations_renewal ON trigger_registrations USING btree (renew_at) WHERE (renew_at IS NOT NULL);
create policy of_project on trigger_registrations for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table untrusted_sources (
  project_id text not null,
  context_id text not null,
  category text not null,
  toolkit_slug text not null,
  tool_slug text not null,
  account text not null,
  note text,
  log_id text,
  first_read_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  constraint untrusted_sources_pkey PRIMARY KEY (project_id, context_id, category, toolkit_slug, account),
  constraint untrusted_sources_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
CREATE INDEX untrusted_sources_expired ON untrusted_sources USING btree (expires_at) WHERE (expires_at IS NOT NULL);
create policy of_project on untrusted_sources for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table usage_days (
  day timestamp with time zone not null,
  calls integer not null,
  failed integer not null,
  project_id text not null,
  dimension text not null,
  key text,
  user_id text,
  durations integer[],
  duration_calls integer[],
  constraint usage_days_dimension_check CHECK (dimension = ANY (ARRAY['total'::text, 'toolkit_slug'::text, 'tool_slug'::text, 'auth_config_id'::text, 'connected_account_id'::text, 'user_id'::text, 'session_id'::text, 'status'::text]))
) PARTITION BY RANGE (day);
CREATE INDEX usage_days_dimension ON usage_days USING btree (project_id, dimension, day);
CREATE INDEX usage_days_user ON usage_days USING btree (project_id, key, day) INCLUDE (calls, failed) WHERE (dimension = 'user_id'::text);
create policy of_project on usage_days for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table usage_hours (
  hour timestamp with time zone not null,
  calls integer not null,
  failed integer not null,
  project_id text not null,
  dimension text not null,
  key text,
  user_id text,
  durations integer[],
  duration_calls integer[],
  constraint usage_hours_dimension_check CHECK (dimension = ANY (ARRAY['total'::text, 'toolkit_slug'::text, 'tool_slug'::text, 'auth_config_id'::text, 'connected_account_id'::text, 'user_id'::text, 'session_id'::text, 'status'::text]))
) PARTITION BY RANGE (hour);
CREATE INDEX usage_hours_dimension ON usage_hours USING btree (project_id, dimension, hour);
CREATE INDEX usage_hours_user ON usage_hours USING btree (project_id, key, hour) INCLUDE (calls, failed) WHERE (dimension = 'user_id'::text);
create policy of_project on usage_hours for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table usage_progress (
  is_only_row boolean default true not null,
  through timestamp with time zone not null,
  days_from timestamp with time zone default '-infinity'::timestamp with time zone not null,
  days_through timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint usage_progress_pkey PRIMARY KEY (is_only_row),
  constraint usage_progress_is_only_row_check CHECK (is_only_row)
);

create table usage_stale_hours (
  project_id text not null,
  hour timestamp with time zone not null,
  constraint usage_stale_hours_pkey PRIMARY KEY (project_id, hour)
);
create policy of_project on usage_stale_hours for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table used_challenges (
  challenge_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint used_challenges_pkey PRIMARY KEY (challenge_hash)
);
CREATE INDEX used_challenges_expiry ON used_challenges USING btree (expires_at);

create table user_deletions (
  id text not null,
  project_id text not null,
  user_id text not null,
  status text default 'pending'::text not null,
  removed jsonb default '{}'::jsonb not null,
  last_error text,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint user_deletions_pkey PRIMARY KEY (id),
  constraint user_deletions_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint user_deletions_check CHECK ((status = 'pending'::text) = (finished_at IS NULL)),
  constraint user_deletions_status_check CHECK (status = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text]))
);
CREATE INDEX user_deletions_newest ON user_deletions USING btree (project_id, user_id, created_at DESC);
CREATE UNIQUE INDEX user_deletions_pending ON user_deletions USING btree (project_id, user_id) WHERE (status = 'pending'::text);
create policy of_project on user_deletions for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table user_memories (
  id text not null,
  project_id text not null,
  user_id text not null,
  toolkit text not null,
  encrypted_payload bytea not null,
  updated_at timestamp with time zone default now() not null,
  is_untrusted boolean default true not null,
  constraint user_memories_pkey PRIMARY KEY (id),
  constraint user_memories_project_id_user_id_toolkit_key UNIQUE (project_id, user_id, toolkit),
  constraint user_memories_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
create policy of_project on user_memories for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table webhook_attempts (
  delivery_id text not null,
  event_created_at timestamp with time zone not null,
  ended_at timestamp with time zone default now() not null,
  number integer not null,
  status integer,
  latency_ms integer not null,
  project_id text not null,
  error text,
  response text,
  encrypted_response bytea,
  encrypted_error bytea,
  constraint webhook_attempts_pkey PRIMARY KEY (delivery_id, number, event_created_at)
) PARTITION BY RANGE (event_created_at);
CREATE INDEX webhook_attempts_project ON webhook_attempts USING btree (project_id);
create policy of_project on webhook_attempts for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table webhook_codes (
  id text not null,
  project_id text not null,
  state_hash bytea,
  returned bytea,
  code bytea,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint webhook_codes_pkey PRIMARY KEY (id),
  constraint webhook_codes_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint webhook_codes_check CHECK ((state_hash IS NULL) = (returned IS NULL)),
  constraint webhook_codes_check1 CHECK (state_hash IS NOT NULL OR code IS NOT NULL)
);
CREATE INDEX webhook_codes_expired ON webhook_codes USING btree (expires_at);
CREATE INDEX webhook_codes_flow ON webhook_codes USING btree (state_hash) WHERE (state_hash IS NOT NULL);
create policy of_project on webhook_codes for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table webhook_deliveries (
  id text not null,
  event_created_at timestamp with time zone not null,
  seq bigint not null,
  next_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  leased_until timestamp with time zone,
  attempts integer default 0 not null,
  round_start integer default 0 not null,
  status text default 'pending'::text not null,
  project_id text not null,
  subscription_id text not null,
  event_id text not null,
  ordering_key text,
  constraint webhook_deliveries_status_check CHECK (status = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text]))
) PARTITION BY LIST (status);
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries USING btree (subscription_id, created_at);
create policy of_project on webhook_deliveries for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table webhook_deliveries_finished partition of webhook_deliveries (
  constraint webhook_deliveries_finished_event UNIQUE (event_id, subscription_id, event_created_at)
) FOR VALUES IN ('delivered', 'dead') PARTITION BY RANGE (event_created_at);
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries_finished USING btree (project_id, finished_at) WHERE (status = 'dead'::text);
CREATE INDEX webhook_deliveries_dead_events ON webhook_deliveries_finished USING btree (project_id, event_created_at DESC) WHERE (status = 'dead'::text);
CREATE INDEX webhook_deliveries_project ON webhook_deliveries_finished USING btree (project_id);

create table webhook_deliveries_pending partition of webhook_deliveries (
  constraint webhook_deliveries_pending_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_pending_event UNIQUE (event_id, subscription_id)
) FOR VALUES IN ('pending');
CREATE INDEX webhook_deliveries_due ON webhook_deliveries_pending USING btree (subscription_id, next_at, seq);
CREATE INDEX webhook_deliveries_order ON webhook_deliveries_pending USING btree (subscription_id, ordering_key, seq) WHERE (ordering_key IS NOT NULL);

create table webhook_endpoints (
  id text not null,
  project_id text not null,
  toolkit_slug text not null,
  client_id text,
  data bytea,
  verified_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
);
CREATE UNIQUE INDEX webhook_endpoints_same ON webhook_endpoints USING btree (project_id, toolkit_slug, COALESCE(client_id, ''::text));
create policy of_project on webhook_endpoints for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));

create table webhook_subscriptions (
  id text not null,
  project_id text not null,
  webhook_url text,
  version text not null,
  enabled_events text[] not null,
  secret bytea not null,
  former_secret bytea,
  former_until timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  failing_since timestamp with time zone,
  disabled_at timestamp with time zone,
  disabled_reason text,
  max_at_once integer default 32 not null,
  max_per_second integer,
  throttled_until timestamp with time zone,
  approval_secret bytea,
  signing_key bytea,
  encrypted_webhook_url bytea,
  constraint webhook_subscriptions_pkey PRIMARY KEY (id),
  constraint webhook_subscriptions_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id),
  constraint webhook_subscriptions_check CHECK ((former_secret IS NULL) = (former_until IS NULL)),
  constraint webhook_subscriptions_check1 CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
  constraint webhook_subscriptions_disabled_reason_check CHECK (disabled_reason = ANY (ARRAY['failing'::text, 'gone'::text, 'incident'::text])),
  constraint webhook_subscriptions_enabled_events_check CHECK (cardinality(enabled_events) >= 1 AND cardinality(enabled_events) <= 100),
  constraint webhook_subscriptions_has_url CHECK (num_nonnulls(webhook_url, encrypted_webhook_url) = 1),
  constraint webhook_subscriptions_max_at_once_check CHECK (max_at_once >= 1 AND max_at_once <= 256),
  constraint webhook_subscriptions_max_per_second_check CHECK (max_per_second >= 1 AND max_per_second <= 10000),
  constraint webhook_subscriptions_version_check CHECK (version = ANY (ARRAY['V1'::text, 'V2'::text, 'V3'::text])),
  constraint webhook_subscriptions_webhook_url_check CHECK (length(webhook_url) <= 2048)
);
CREATE INDEX webhook_subscriptions_oldest ON webhook_subscriptions USING btree (project_id, created_at, id);
CREATE UNIQUE INDEX webhook_subscriptions_url ON webhook_subscriptions USING btree (project_id, webhook_url);
create policy of_project on webhook_subscriptions for all using ((project_id = ANY (( SELECT current_projects() AS current_projects)::text[])));
