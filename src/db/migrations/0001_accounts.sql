-- Who may come in. Tenant tables carry workspace_id and FORCE row-level security: the second lock behind
-- workspace-first queries. toprung_app is bound by it; toprung_system (daily run, sign-in) is not.

do $$
begin
  if not exists (select from pg_roles where rolname = 'toprung_app') then
    begin create role toprung_app nologin; exception when duplicate_object or unique_violation then null; end;
  end if;
  if not exists (select from pg_roles where rolname = 'toprung_system') then
    begin create role toprung_system nologin; exception when duplicate_object or unique_violation then null; end;
  end if;
  -- Who made a role is its member, but may give it to others only, not take it on.
  if not (pg_has_role(current_user, 'toprung_app', 'set') and pg_has_role(current_user, 'toprung_system', 'set')) then
    execute format('grant toprung_app, toprung_system to %I with set true, inherit true', current_user);
  end if;
end $$;

create table workspaces (
  id int generated always as identity primary key,
  name text not null check (length(name) between 1 and 80),
  -- A suspension lies on top of what the plan says, and leaves it as it is.
  standing text not null default 'live' check (standing in ('trial', 'live', 'lapsed')),
  suspended_at timestamptz,
  suspended_reason text,
  -- Deleted, and gone for good from then on; until then it can be taken back, and is as if suspended.
  delete_at timestamptz,
  state text not null generated always as (case when suspended_at is not null or delete_at is not null then 'suspended' else standing end) stored,
  -- Its plan has ended where plans are asked for: the daily run leaves it alone.
  rests boolean not null default false,
  visited boolean not null generated always as (suspended_at is null and delete_at is null and not rests) stored,
  plan text check (plan in ('indie', 'ultimate')),
  trial_ends_at timestamptz,
  over_limit_since timestamptz,
  -- Whom the payment provider knows it as.
  payment_customer text unique,
  payment_subscription text,
  created_at timestamptz not null default now()
);

create index workspaces_delete_at on workspaces (delete_at) where delete_at is not null;

create table users (
  id int generated always as identity primary key,
  email text not null unique check (email = lower(email)),
  name text,
  password_hash text not null,
  operator boolean not null default false,
  -- Else the address is only what somebody wrote: it gets no mail but the link to confirm it, and makes nobody an operator.
  email_confirmed_at timestamptz,
  -- Deleted, and gone for good from then on: until then no credential of it is taken, but signing in takes it back.
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

-- One row: what belongs to the instance and not to a workspace.
create table instance (
  only_one boolean primary key default true check (only_one),
  setup_token_hash bytea,
  created_at timestamptz not null default now()
);
insert into instance default values;

-- Answers kept for a day, so that a repeated POST is done once.
create table idempotency (
  workspace_id int not null references workspaces on delete cascade,
  key text not null check (length(key) <= 200),
  request_hash bytea not null,
  status smallint,
  response text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, key)
);
