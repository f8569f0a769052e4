-- Who caused a used proof to be stored, by hash: a network, or the grant of an access token. Each may store a limited number,
-- because anyone can sign proofs with a new key. Rows of an earlier release have none, and expire within minutes.
alter table mcp_used_proofs add column source_hash bytea not null default '';
create index mcp_used_proofs_source on mcp_used_proofs (source_hash, expires_at);
