-- A walk whose provider brings no state back belongs to a browser and a toolkit: the toolkit stands here, the browser is bound by its user's click.
alter table connection_flows add column browser_toolkit text;
create index connection_flows_of_browser on connection_flows (browser_hash, browser_toolkit) where browser_toolkit is not null and used_at is null;
