-- A workspace's settings, those that were set; what is missing is the default.
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

-- Mails that invitations went out with, counted for a day: an invitation that is revoked or replaced leaves its mail behind.
create table invite_mails (
  workspace_id int not null references workspaces on delete cascade,
  email text not null,
  sent_at timestamptz not null
);
create index invite_mails_workspace on invite_mails (workspace_id, sent_at);
create index invite_mails_email on invite_mails (email, sent_at);
select lock_tenant('invite_mails');

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
-- Where an address stands that is to be forgotten.
create index audit_actor on audit (actor);
create index audit_address on audit (subject) where subject like '%@%';
select lock_tenant('audit');

-- Links to set a new password or to confirm an address: the link carries the secret, the row its hash. A person belongs to no workspace.
create table account_links (
  secret_hash bytea primary key,
  user_id int not null references users on delete cascade,
  purpose text not null check (purpose in ('password', 'confirmation')),
  -- Else it was handed on by who runs the instance, and proves nothing of the address.
  mailed boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index account_links_user on account_links (user_id);

-- Requests by day, credential and class; token_id 0 stands for sessions. No reference: counts outlive their token.
create table request_days (
  workspace_id int not null references workspaces on delete cascade,
  on_date date not null,
  token_id int not null,
  rate_class text not null,
  requests bigint not null,
  primary key (workspace_id, on_date, token_id, rate_class)
);
select lock_tenant('request_days');

-- On-demand actions by the hour in which they were asked for.
create table on_demand_hours (
  workspace_id int not null references workspaces on delete cascade,
  kind text not null,
  hour timestamptz not null,
  uses int not null,
  primary key (workspace_id, kind, hour)
);
select lock_tenant('on_demand_hours');
