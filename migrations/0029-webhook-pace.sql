-- What a receiver can bear: requests at once, for each server process, and requests a second, over all of them. paced_until: up to here its seconds are spent.
alter table webhook_subscriptions add column max_at_once integer not null default 32 check (max_at_once between 1 and 256);
alter table webhook_subscriptions add column max_per_second integer check (max_per_second between 1 and 10000);
alter table webhook_subscriptions add column paced_until timestamptz;

-- Taking a row marks it here, where no index looks, and the new version stays on its page: moving next_at wrote every index anew.
alter table webhook_deliveries add column leased_until timestamptz;
alter table webhook_deliveries set (fillfactor = 70);

-- Attempts are written beside the row they belong to, which their statement holds, so nobody has to look whether it is there; they go when it goes.
alter table webhook_attempts drop constraint webhook_attempts_delivery_id_fkey;
create function remove_attempts() returns trigger language plpgsql as $$
begin
  delete from webhook_attempts where delivery_id in (select id from removed);
  return null;
end $$;
create trigger webhook_deliveries_attempts after delete on webhook_deliveries referencing old table as removed for each statement execute function remove_attempts();
