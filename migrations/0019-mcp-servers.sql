-- A server is a choice of toolkits, tools and auth configs that MCP clients reach under one address. Deleted ones stay, and answer as missing.
create table mcp_servers (
  id uuid primary key default gen_random_uuid(),
  project_id text not null references projects,
  name text not null check (length(name) between 4 and 30),
  auth_config_ids text[] not null,
  -- those named beside the auth configs, whose toolkits belong to it too
  toolkits text[] not null,
  -- empty: every tool of the toolkits
  allowed_tools text[] not null,
  -- whether a missing connection is answered with a link
  managed_auth boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index mcp_servers_changed on mcp_servers (project_id, updated_at desc, id) where deleted_at is null;

-- A user of a server.
create table mcp_server_instances (
  id uuid primary key default gen_random_uuid(),
  project_id text not null references projects,
  server_id uuid not null references mcp_servers,
  user_id text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index mcp_server_instances_user on mcp_server_instances (server_id, user_id);
