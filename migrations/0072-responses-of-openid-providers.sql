-- Responses of the OpenID provider to a request: each one makes this server call the provider, so they are limited.
alter table mcp_authorizations add column provider_responses smallint not null default 0;
