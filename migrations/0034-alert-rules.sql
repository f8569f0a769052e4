-- Rules that notify people about a project.
create table alert_rules (
  id text primary key,
  project_id text not null references projects,
  name text not null,
  condition text not null
    check (condition in ('account_expired', 'trigger_stalled', 'webhook_failing', 'error_rate')),
  -- A number of accounts, triggers or webhooks; for error_rate a percentage.
  threshold integer not null,
  window_minutes integer not null,
  channel text not null check (channel in ('webhook', 'email', 'slack')),
  -- The URL or email addresses, and the secret of a webhook; encrypted.
  encrypted_target bytea not null,
  is_enabled boolean not null default true,
  created_at timestamptz not null default now(),
  checked_at timestamptz,
  last_value double precision,
  -- Since when the condition holds; set when people were notified of it.
  firing_since timestamptz,
  notified_at timestamptz,
  -- The error of the last notification; null after a success.
  last_error text
);
create index alert_rules_of_project on alert_rules (project_id, created_at, id);
create index alert_rules_due on alert_rules (checked_at nulls first) where is_enabled;
select restrict_to_projects('alert_rules');
