-- What a session has read that other people wrote. context_id is a session, or an MCP server and its user.
create table untrusted_sources (
  project_id text not null references projects,
  context_id text not null,
  category text not null,
  toolkit_slug text not null,
  -- The first tool that returned it. Empty for content that no tool returned.
  tool_slug text not null,
  -- Empty for a tool that ran without an account.
  account text not null,
  -- Where content of no tool came from, in words.
  note text,
  log_id text,
  first_read_at timestamptz not null default now(),
  -- Null for sessions, whose sources never expire.
  expires_at timestamptz,
  primary key (project_id, context_id, category, toolkit_slug, account)
);
create index untrusted_sources_expired on untrusted_sources (expires_at) where expires_at is not null;

-- The sources that a person sees when deciding.
alter table approvals add column untrusted_sources jsonb not null default '[]';

-- Whether it was written in a session that had read untrusted content. Earlier rows may have been.
alter table user_memories add column is_untrusted boolean not null default true;
alter table recipe_versions add column is_untrusted boolean not null default true;
