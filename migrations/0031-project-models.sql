-- The language model of a project for the playground of the console: an OpenAI-compatible API with its key.
create table project_models (
  project_id text primary key references projects,
  base_url text not null,
  model text not null,
  encrypted_key bytea,
  updated_at timestamptz not null default now()
);
