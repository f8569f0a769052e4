-- Lists of the console. Dead deliveries are few, so their index costs deliveries that succeed nothing.
create index webhook_deliveries_dead on webhook_deliveries (project_id, finished_at desc) where status = 'dead';
-- Deliveries of one subscription, newest first.
create index webhook_deliveries_newest on webhook_deliveries (subscription_id, created_at desc, id);
