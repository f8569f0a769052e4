-- Numbers of what an incident revoked besides accounts, by kind: {"keys": 2}.
alter table incidents add column revoked jsonb not null default '{}';

-- An incident disables webhook subscriptions.
alter table webhook_subscriptions drop constraint webhook_subscriptions_disabled_reason_check;
alter table webhook_subscriptions add constraint webhook_subscriptions_disabled_reason_check
  check (disabled_reason in ('failing', 'gone', 'incident'));
