-- Responses of webhook receivers are encrypted. Earlier attempts keep theirs in clear until they are removed with their
-- event. Only attempts with an encrypted response have an id, which the encryption is bound to.
alter table webhook_attempts add column id text, add column encrypted_response bytea;
create unique index webhook_attempts_id on webhook_attempts (id);
