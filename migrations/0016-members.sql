-- People who sign in to the console. Passwords are stored as Argon2id hashes.
create table members (
  id text primary key,
  organization_id text not null references organizations,
  email text not null,
  name text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  password_hash text,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index members_email on members (organization_id, lower(email));

-- Roles of those who are neither owner nor administrator, one in each project that they may use.
create table member_roles (
  member_id text not null references members on delete cascade,
  project_id text not null references projects,
  role text not null check (role in ('developer', 'operator', 'viewer')),
  primary key (member_id, project_id)
);

-- One-time links: set-up (without a member: creates an owner), and invitations and new passwords (with one).
create table member_links (
  token_hash bytea primary key,
  organization_id text not null references organizations,
  member_id text references members on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

alter table console_sessions add column member_id text references members on delete cascade;
alter table console_sessions add check ((key_id is null) <> (member_id is null));
create index console_sessions_member on console_sessions (member_id);
