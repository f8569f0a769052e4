-- Files of a session have a place below its mount, and stay until they are removed or the session is deleted. One that is written again takes the place of the former one.
alter table files drop constraint files_kind_check;
alter table files add constraint files_kind_check check (kind in ('request', 'result', 'mount'));
alter table files add column session_id text references sessions;
alter table files add column mount_path text check (octet_length(mount_path) <= 1024);
alter table files add check ((kind = 'mount') = (session_id is not null and mount_path is not null));
create unique index files_mount on files (session_id, mount_path collate "C") where kind = 'mount' and uploaded_at is not null;
