-- The run of a session's sandbox, so that the same code that arrives at another server gets its outcome in place of running
-- again. The outcome is kept for some seconds, and only of runs that took longer than a second.
alter table session_sandboxes
  add column run_digest bytea,
  add column encrypted_outcome bytea,
  add column ended_at timestamptz;
