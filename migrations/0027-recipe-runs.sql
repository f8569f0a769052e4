-- Runs of recipes that stopped at a step, so that the session can continue them from there: the inputs and the results of
-- completed steps, encrypted. A row is deleted when its run continues, and after a week.
create table recipe_runs (
  id text primary key,
  project_id text not null references projects,
  session_id text not null references sessions (id) on delete cascade,
  recipe_version_id text not null references recipe_versions (id) on delete cascade,
  encrypted_payload bytea not null,
  created_at timestamptz not null default now()
);
create index recipe_runs_session on recipe_runs (session_id, created_at);
create index recipe_runs_version on recipe_runs (recipe_version_id);
create index recipe_runs_project on recipe_runs (project_id);
