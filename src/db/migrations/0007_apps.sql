create table apps (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  listing_id int not null references listings,
  primary_country text not null check (primary_country ~ '^[a-z]{2}$'),
  display_name text,
  tags text[] not null default '{}',
  note text,
  linked_app_id int references apps on delete set null,
  -- This instance tracks it since then: nothing from before is shown.
  created_at timestamptz not null,
  -- An import says that it was tracked elsewhere since then. It is shown, but grants access to
  -- nothing.
  tracked_since timestamptz,
  archived_at timestamptz,
  purge_at timestamptz,
  unique (workspace_id, listing_id)
);
create index apps_listing on apps (listing_id);
select enable_tenant_isolation('apps');

-- A listing that an app is compared with. It is archived and never deleted, so that its history
-- stays. tracking_periods is [[day, depth], ...] as in keywords: whole days on which its position
-- is looked for; depth 0 from the day of archiving. On its first day only searches after
-- followed_at count.
create table competitors (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  listing_id int not null references listings,
  relationship text,
  note text,
  tracking_periods jsonb not null,
  followed_at timestamptz not null,
  created_at timestamptz not null,
  tracked_since timestamptz,               -- as in apps
  archived_at timestamptz,
  unique (app_id, listing_id)
);
create index competitors_listing on competitors (listing_id);
create index competitors_workspace on competitors (workspace_id, app_id);
select enable_tenant_isolation('competitors');

create table annotations (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  on_date date not null,
  text text not null,
  keyword_ids int[] not null default '{}',
  created_at timestamptz not null
);
create index annotations_app on annotations (workspace_id, app_id, on_date);
select enable_tenant_isolation('annotations');

-- The keyword field of an iOS app, by locale. Every saved version is kept; the newest is current.
create table keyword_fields (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  locale text not null,
  text text not null,
  normalized text not null,
  saved_at timestamptz not null,
  saved_by int references users on delete set null
);
create index keyword_fields_newest on keyword_fields (workspace_id, app_id, locale, id desc);
select enable_tenant_isolation('keyword_fields');

-- The colours of tags. The tags themselves are columns of apps and keywords.
create table tag_styles (
  workspace_id int not null references workspaces on delete cascade,
  name text not null,
  color text,
  primary key (workspace_id, name)
);
select enable_tenant_isolation('tag_styles');
