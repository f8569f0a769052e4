-- Vectors of tools from the embedding model of the administrator. A row belongs to a model and a text, so a tool whose
-- text changes gets another row.
create table tool_embeddings (
  -- Null for tools of the instance.
  project_id text references projects,
  model text not null,
  -- The beginning of the SHA-256 of the text.
  text_digest bytea not null,
  -- Four bits a dimension.
  vector bytea not null,
  -- The last day on which a server loaded it. Rows that no tool uses any more are removed after 30 days.
  used_on date not null default current_date
);
create unique index tool_embeddings_text on tool_embeddings (coalesce(project_id, ''), model, text_digest);
create index tool_embeddings_project on tool_embeddings (project_id) where project_id is not null;
create index tool_embeddings_unused on tool_embeddings (used_on);
