-- The second factor of a member (RFC 6238). The secret is encrypted; `last_step` rejects a code that was used.
create table member_totp (
  member_id text primary key references members on delete cascade,
  encrypted_secret bytea not null,
  last_step bigint not null default 0,
  confirmed_at timestamptz,
  created_at timestamptz not null default now()
);

-- Codes for the day when the device is lost, each for one sign-in; SHA-256 of 80 random bits.
create table member_recovery_codes (
  member_id text not null references members on delete cascade,
  code_hash bytea not null,
  primary key (member_id, code_hash)
);
