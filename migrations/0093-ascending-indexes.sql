-- Indexes whose last column is the time are ascending. Rows arrive in the order of time, so that a descending index grows
-- at the beginning of each group: B-tree splits such a page in the middle, and leaves half of it empty. An ascending one
-- is filled completely (nbtsplitloc.c, `_bt_afternewitemoff`), and is read backwards just as well.
--
-- Each partition is locked while its indexes are created; partitions of past weeks come first, because nothing is inserted
-- there. Inserts into the current one wait until the end: some seconds for each million of its rows. The tables
-- themselves are locked only at the end, for a moment.
create temporary table new_indexes on commit drop as
  select c.root, c.name, c.definition, t.relid, t.parentrelid as parent, t.isleaf, t.level,
    left(t.relid::regclass::text, 40) || '_' || substr(md5(t.relid::regclass::text || c.name), 1, 12) || '_idx'
      as index_name
  from (values
    ('tool_executions', 'tool_executions_newest', '(project_id, created_at)'),
    ('tool_executions', 'tool_executions_user', '(project_id, user_id, created_at) where user_id is not null'),
    ('tool_executions', 'tool_executions_tool', '(project_id, tool_slug, created_at)'),
    ('tool_executions', 'tool_executions_account',
      '(project_id, connected_account_id, created_at) where connected_account_id is not null'),
    ('events', 'events_newest', '(project_id, created_at)'),
    ('trigger_logs', 'trigger_logs_instance', '(instance_id, seq)'),
    ('trigger_logs', 'trigger_logs_newest', '(project_id, seq)'),
    ('webhook_deliveries', 'webhook_deliveries_newest', '(subscription_id, created_at)')
  ) as c (root, name, definition), pg_partition_tree(c.root::regclass) t;

do $$
declare
  new record;
begin
  for new in select * from new_indexes where isleaf order by relid::regclass::text loop
    execute format('create index %I on %s %s', new.index_name, new.relid::regclass, new.definition);
  end loop;
  for new in select * from new_indexes where not isleaf loop
    execute format('create index %I on only %s %s', new.index_name, new.relid::regclass, new.definition);
  end loop;
  for new in
    select child.index_name, parent.index_name as parent_index
    from new_indexes child join new_indexes parent on parent.relid = child.parent and parent.name = child.name
    order by child.level desc
  loop
    execute format('alter index %I attach partition %I', new.parent_index, new.index_name);
  end loop;
  for new in select * from new_indexes where parent is null loop
    execute format('drop index %I', new.name);
    execute format('alter index %I rename to %I', new.index_name, new.name);
  end loop;
end $$;
