-- Sign-in by OpenID Connect: the person of an identity provider that a member is (OpenID Connect Core, section 5.7: only
-- issuer and subject together identify a person; an e-mail address can change its owner).
create table member_identities (
  issuer text not null,
  subject text not null,
  member_id text not null references members on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index member_identities_member on member_identities (member_id);

-- Passkeys of members (WebAuthn Level 3). `id` is the id of the credential in base64url; the public key is in COSE.
create table member_passkeys (
  id text primary key,
  member_id text not null references members on delete cascade,
  name text not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  is_synced boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index member_passkeys_member on member_passkeys (member_id);

-- Challenges of sign-ins that succeeded, until they expire, so that none is accepted twice.
create table used_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_challenges_expiry on used_challenges (expires_at);
