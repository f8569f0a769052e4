-- Lists of users show the executions of seven days. They are added up from the rows of these users alone.
create index usage_hours_user on usage_hours (project_id, key, hour) include (calls, failed)
  where dimension = 'user_id';
create index usage_days_user on usage_days (project_id, key, day) include (calls, failed) where dimension = 'user_id';
