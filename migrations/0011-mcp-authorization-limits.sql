-- The hash of the network that started a request limits how many requests of it are open.
alter table mcp_authorizations add column source_hash bytea;
create index mcp_authorizations_open on mcp_authorizations (source_hash, expires_at) where decided_at is null;
-- Requests are no longer counted by resource.
drop index mcp_authorizations_resource;

-- With the refresh token itself, the salt yields the tokens that replaced it, so that a repeated request receives the
-- same ones. It is removed after the time in which a request may be repeated.
alter table mcp_tokens add column successor_salt bytea;
