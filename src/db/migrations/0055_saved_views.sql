-- Pages of the dashboard with their filters, saved for everyone in a workspace.
create table saved_views (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int references apps on delete cascade,
  name text not null,
  path text not null,
  pinned boolean not null default false,
  created_at timestamptz not null,
  unique (workspace_id, path)
);
create index saved_views_app on saved_views (app_id);
select enable_tenant_isolation('saved_views');
