-- The content of events, the outcome of attempts and the messages in the log of triggers are encrypted. Earlier rows keep
-- theirs in clear until they are removed, or `keys rotate-encryption --values` encrypts them.
alter table events alter column data drop not null;
alter table webhook_attempts add column encrypted_error bytea;
alter table trigger_logs add column encrypted_message bytea;
-- A URL of a receiver is often a capability. The 20 of a project are compared after they were decrypted.
alter table webhook_subscriptions alter column webhook_url drop not null;
alter table webhook_subscriptions add column encrypted_webhook_url bytea;
alter table webhook_subscriptions add constraint webhook_subscriptions_has_url
  check (num_nonnulls(webhook_url, encrypted_webhook_url) = 1);
-- Thresholds of budgets are published after they were counted, because the server encrypts their events.
alter table budget_usage add column published_percent integer not null default 0, add column published_amount bigint;
update budget_usage u set published_amount = b.amount,
  published_percent = case when u.used >= b.amount then 100 when u.used * 100 >= b.amount * 80 then 80 else 0 end
from budgets b where b.id = u.budget_id;
