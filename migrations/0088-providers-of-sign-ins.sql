-- The OpenID provider of a sign-in, as a hash of issuer, client and claim. Null for sign-ins by a link or a key. A
-- sign-in counts as long as the project has that provider.
alter table mcp_sign_ins add column provider_key text;
