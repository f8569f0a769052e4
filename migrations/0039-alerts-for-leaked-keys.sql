-- Alert rules also count API keys that were found in public.
alter table alert_rules drop constraint alert_rules_condition_check;
alter table alert_rules add constraint alert_rules_condition_check
  check (condition in ('account_expired', 'trigger_stalled', 'webhook_failing', 'error_rate', 'key_leaked'));
