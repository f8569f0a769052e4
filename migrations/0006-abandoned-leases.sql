-- Leases of renewals whose holder may be gone: there are as many as renewals under way, so the index is all but empty.
create index connected_accounts_leased on connected_accounts (refresh_lease_until) where refresh_lease is not null;
