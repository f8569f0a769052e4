-- Processes keep MCP servers in memory, like accounts (0050). Changes of auth configs are reported there.
create function report_mcp_server_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', json_build_object('kind', 'mcp_servers_changed', 'projectId', old.project_id)::text);
  return null;
end $$;
create trigger mcp_servers_report_change after update or delete on mcp_servers
  for each row execute function report_mcp_server_change();
