-- What is sealed does not get smaller: PostgreSQL need not try.
alter table tool_executions alter column payload set storage external;
alter table response_pages alter column sealed set storage external;
alter table idempotent_calls alter column sealed set storage external;
