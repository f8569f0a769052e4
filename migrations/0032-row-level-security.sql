-- The second line of tenancy: statements of a project run as a role that sees the rows of its projects only. The owner
-- of the tables, who runs migrations, jobs and backups, is not restricted.
create function current_projects() returns text[] language sql stable parallel safe as $$
  select string_to_array(current_setting('patchbay.projects', true), ',')
$$;

-- Restricts a table with the column `project_id`. Every later migration that creates such a table calls it.
create function restrict_to_projects(name regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  -- The subquery makes PostgreSQL read the setting once a statement.
  execute format('create policy of_project on %s using (project_id = any ((select current_projects())::text[]))', name);
end $$;

do $$
declare name text;
begin
  for name in
    select c.oid::regclass::text from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attname = 'project_id'
      and not a.attisdropped
    order by 1
  loop
    perform restrict_to_projects(name::regclass);
  end loop;
end $$;

alter table projects enable row level security;
create policy of_project on projects using (id = any ((select current_projects())::text[]));

-- Toolkits of the installation belong to no project; every project reads them.
create policy of_installation on toolkits for select using (project_id is null);
create policy of_installation on toolkit_versions for select using (project_id is null);

-- Rows without a project of their own belong to that of the row above them.
alter table mcp_tokens enable row level security;
create policy of_project on mcp_tokens using (exists (select from mcp_grants g where g.id = grant_id));
alter table recipe_versions enable row level security;
create policy of_project on recipe_versions using (exists (select from recipes r where r.id = recipe_id));
alter table session_configs enable row level security;
create policy of_project on session_configs using (exists (select from sessions s where s.id = session_id));
alter table webhook_attempts enable row level security;
create policy of_project on webhook_attempts
  using (exists (select from webhook_deliveries d where d.id = delivery_id));
