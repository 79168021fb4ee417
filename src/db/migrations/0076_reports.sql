-- Links to read-only reports of apps, for people without an account.
create table reports (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  name text not null,
  country text check (country ~ '^[a-z]{2}$'),  -- null: all countries
  device text,                                  -- null: all devices
  days int not null check (days between 7 and 365),
  secret_hash bytea not null unique,
  password_hash text,
  created_by int references users on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_opened_at timestamptz
);
create index reports_workspace on reports (workspace_id, id desc);
create index reports_app on reports (app_id);
create index reports_created_by on reports (created_by);
select enable_tenant_isolation('reports');
