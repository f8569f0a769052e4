-- Whose account it is at the provider: id, e-mail, name, tenant, sealed because they are data about a person. null: nobody has asked yet.
alter table connected_accounts add column identity bytea;
