-- Lists of sessions, of a project and of one of its users, newest first.
create index sessions_created on sessions (project_id, created_at desc, id) where deleted_at is null;
create index sessions_user on sessions (project_id, user_id, created_at desc, id) where deleted_at is null;
