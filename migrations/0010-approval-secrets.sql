-- Decisions on approvals are signed with a secret of their own, which only keys without restrictions can create. A
-- subscription without one cannot decide. event_id is the event that announced the approval: only subscriptions to
-- which it was sent may decide.
alter table webhook_subscriptions add column approval_secret bytea;
alter table approvals add column event_id text;

-- The link of an approval is for people. Callers receive it only where a policy says so from now on.
update policies set approval_link = false;
