-- A demo project: its requests to applications go to simulations. An organization has at most one.
alter table projects add column is_demo boolean not null default false;
create unique index projects_demo on projects (organization_id) where is_demo and deleted_at is null;
