-- A link may be for an account that stood before: it keeps its row, and its credentials until the new ones are there.
alter table connection_links add column kind text not null default 'connect' check (kind in ('connect', 'reconnect'));
