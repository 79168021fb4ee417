-- The keyword field of an iOS app, by locale: every saved version is kept, the newest stands.
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
select lock_tenant('keyword_fields');

-- The colours of tags; the tags themselves stand beside apps and keywords.
create table tag_styles (
  workspace_id int not null references workspaces on delete cascade,
  name text not null,
  color text,
  primary key (workspace_id, name)
);
select lock_tenant('tag_styles');
