-- Lines of one poll have one moment, so their order, and where a page of them ends, is a number.
alter table trigger_logs add column seq bigint generated always as identity;
create index trigger_logs_in_order on trigger_logs (project_id, seq desc);
drop index trigger_logs_newest;
