-- Files of sessions are measured too. A user has no files of its own.
alter table budgets drop constraint budgets_check1;
alter table budgets add constraint budgets_check1
  check (metric <> 'storage_bytes' or (scope <> 'user' and period = 'total'));
