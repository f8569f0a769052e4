-- Webhook subscriptions can sign with an Ed25519 key too (`v1a` of Standard Webhooks). The private key is encrypted.
alter table webhook_subscriptions add column signing_key bytea;
