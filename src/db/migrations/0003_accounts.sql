create table workspaces (
  id int generated always as identity primary key,
  name text not null check (length(name) between 1 and 80),
  -- A suspension or a deletion overrides this without changing it, so that both can be undone.
  status text not null default 'live' check (status in ('trial', 'live', 'lapsed')),
  suspended_at timestamptz,
  suspended_reason text,
  -- The workspace is erased at this instant. Until then it is treated as suspended and can be
  -- restored.
  delete_at timestamptz,
  state text not null generated always as (
    case when suspended_at is not null or delete_at is not null then 'suspended' else status end
  ) stored,
  -- The plan has ended on an instance that sells plans: the daily run skips the workspace.
  daily_run_paused boolean not null default false,
  in_daily_run boolean not null generated always as (
    suspended_at is null and delete_at is null and not daily_run_paused
  ) stored,
  plan text check (plan in ('indie', 'ultimate')),
  -- Somebody set the plan by hand. A payment still decides again with the provider's next event.
  plan_set_manually boolean not null default false,
  trial_ends_at timestamptz,
  over_limit_since timestamptz,
  -- The payment provider's ids.
  payment_customer text unique,
  payment_subscription text,
  -- The number (payment_reads) of the newest applied reading: a late response never replaces a
  -- newer one.
  payment_read bigint not null default 0,
  created_at timestamptz not null default now()
);
create index workspaces_delete_at on workspaces (delete_at) where delete_at is not null;
alter table workspaces enable row level security;
alter table workspaces force row level security;
create policy tenant_isolation on workspaces to toprung_app
  using (id = (select nullif(current_setting('app.workspace', true), '')::int));
create policy system_access on workspaces to toprung_system using (true) with check (true);
grant select, update on workspaces to toprung_app;

-- One row with facts of the instance, which belong to no workspace.
create table instance (
  singleton boolean primary key default true check (singleton),
  setup_token_hash bytea,
  created_at timestamptz not null default now()
);
insert into instance default values;

create table users (
  id int generated always as identity primary key,
  email text not null unique check (email = lower(email)),
  name text,
  password_hash text not null,
  operator boolean not null default false,
  -- An unconfirmed address gets no mail except its confirmation link, and makes nobody an operator.
  email_confirmed_at timestamptz,
  -- The account is erased at this instant. Until then its credentials are refused, but signing in
  -- restores it.
  delete_at timestamptz,
  created_at timestamptz not null default now()
);
create index users_delete_at on users (delete_at) where delete_at is not null;

create table memberships (
  workspace_id int not null references workspaces on delete cascade,
  user_id int not null references users on delete cascade,
  role text not null check (role in ('owner', 'member')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index memberships_user on memberships (user_id);
select enable_tenant_isolation('memberships');

create table sessions (
  id int generated always as identity primary key,
  id_hash bytea not null unique,
  user_id int not null references users on delete cascade,
  workspace_id int not null references workspaces on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  address text,
  user_agent text
);
create index sessions_user on sessions (user_id);
select enable_tenant_isolation('sessions');

create table tokens (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  user_id int not null references users on delete cascade,
  name text not null check (length(name) between 1 and 60),
  prefix text not null,
  secret_hash bytea not null unique,
  read_only boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_ip text,
  revoked_at timestamptz
);
create index tokens_workspace on tokens (workspace_id, id desc);
select enable_tenant_isolation('tokens');

-- Links that set a new password or confirm an address: the link carries the secret, the row its
-- hash. They belong to a person, not to a workspace.
create table account_links (
  secret_hash bytea primary key,
  user_id int not null references users on delete cascade,
  purpose text not null check (purpose in ('password', 'confirmation')),
  -- False when an operator passed the link on: opening it then proves nothing about the address.
  mailed boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index account_links_user on account_links (user_id);

-- The link carries the secret, the row its hash.
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
select enable_tenant_isolation('invites');

-- Mails of invitations are counted for a day, because revoking or replacing an invitation does not
-- unsend its mail.
create table invite_mails (
  workspace_id int not null references workspaces on delete cascade,
  email text not null,
  sent_at timestamptz not null
);
create index invite_mails_workspace on invite_mails (workspace_id, sent_at);
create index invite_mails_email on invite_mails (email, sent_at);
select enable_tenant_isolation('invite_mails');

-- A workspace's settings that differ from the defaults.
create table settings (
  workspace_id int primary key references workspaces on delete cascade,
  settings jsonb not null
);
select enable_tenant_isolation('settings');

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
-- Both find an address that must be erased.
create index audit_actor on audit (actor);
create index audit_address on audit (subject) where subject like '%@%';
select enable_tenant_isolation('audit');
