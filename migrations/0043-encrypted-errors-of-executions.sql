-- Errors of applications and tools can quote what was sent. They are encrypted; earlier executions keep theirs in clear
-- until they are removed.
alter table tool_executions add column encrypted_error bytea;
