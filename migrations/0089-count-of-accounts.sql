-- Lists of accounts are counted, and their pages found, in this index alone: it has the columns of the filters of the
-- list that most requests set. The status of an account that nobody connected depends on the end of its set-up.
drop index connected_accounts_newest;
create index connected_accounts_newest on connected_accounts (project_id, created_at desc, id desc)
  include (account_type, status, toolkit_slug, setup_expires_at) where deleted_at is null;
