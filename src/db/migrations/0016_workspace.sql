-- A workspace's settings; a missing row is the defaults.
create table settings (
  workspace_id int primary key references workspaces on delete cascade,
  settings jsonb not null
);
select lock_tenant('settings');

-- Invitations: the link carries the secret, the row its hash.
create table invites (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'member')),
  secret_hash bytea not null unique,
  invited_by int references users on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz
);
create index invites_workspace on invites (workspace_id, id desc);
select lock_tenant('invites');

-- Who did what, with which credential.
create table audit (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  at timestamptz not null,
  actor text not null,
  credential text not null,
  action text not null,
  subject text,
  detail jsonb
);
create index audit_workspace on audit (workspace_id, id desc);
select lock_tenant('audit');

-- A workspace's export, until a day has passed.
create table exports (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  job_id bigint not null,
  format text not null,
  created_at timestamptz not null,
  bytes bigint,
  expires_at timestamptz
);
select lock_tenant('exports');
