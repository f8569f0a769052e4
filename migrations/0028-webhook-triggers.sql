-- Addresses at which an application tells what happened in all accounts of one of its OAuth apps. client_id null: whichever app it is.
-- data: what the application's settings show (set-up fields) and what it brought itself; sealed. verified_at: since when deliveries prove themselves with it.
create table webhook_endpoints (
  id text primary key,
  project_id text not null references projects,
  toolkit_slug text not null,
  client_id text,
  data bytea,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index webhook_endpoints_same on webhook_endpoints (project_id, toolkit_slug, coalesce(client_id, ''));

-- hears: how an instance hears of events that it does not poll for: at an address of its own, or at that of an app. account_key: a digest of what the application
-- calls the account in the deliveries of an app.
alter table trigger_instances add column hears text check (hears in ('instance', 'app')), add column account_key text;
create index trigger_instances_of_app on trigger_instances (project_id, toolkit_slug, account_key) where hears = 'app' and disabled_at is null and deleted_at is null;

-- Addresses of single instances, as they are registered at applications. A row is there before the application is asked, since it may try the address before it
-- answers; the instance comes after that. state: secret and what the application answered; sealed.
create table trigger_registrations (
  address text primary key,
  project_id text not null references projects,
  instance_id text not null,
  connected_account_id text not null references connected_accounts,
  toolkit_slug text not null,
  trigger_slug text not null,
  version text not null,
  state bytea not null,
  registered_at timestamptz,
  expires_at timestamptz,
  renew_at timestamptz,
  created_at timestamptz not null default now()
);
create index trigger_registrations_of_instance on trigger_registrations (instance_id);
create index trigger_registrations_ending on trigger_registrations (renew_at) where renew_at is not null;

-- Whoever switches or deletes an instance with an address of its own, the application is told by a job.
create function follow_registered_instance() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job(identifier => 'triggers.register', payload => json_build_object('project', new.project_id, 'id', new.id), max_attempts => 12, job_key => 'triggers.register:' || new.id);
  return null;
end $$;
create trigger trigger_instances_registered after update of disabled_at, deleted_at on trigger_instances for each row
  when (new.hears = 'instance' and ((old.disabled_at is null) is distinct from (new.disabled_at is null) or old.deleted_at is distinct from new.deleted_at)) execute function follow_registered_instance();
