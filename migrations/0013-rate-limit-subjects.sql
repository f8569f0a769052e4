-- The windows count the calls of organizations, projects and keys.
alter table rate_limit_windows rename column organization_id to subject;
