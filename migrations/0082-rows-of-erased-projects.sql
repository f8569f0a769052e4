-- The erasure of a project finds every row of it, also attempts without a delivery and deliveries without a subscription.
create index webhook_attempts_project on webhook_attempts (project_id);
create index webhook_deliveries_project on webhook_deliveries_finished (project_id);
