-- Drafts of the texts of a listing. A version has all texts of a locale, so that what was saved
-- together is restored together; the newest version of a locale is its text.
create table listing_drafts (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  name text not null,
  is_current boolean not null,
  created_at timestamptz not null,
  unique (app_id, name)
);
create unique index listing_drafts_current on listing_drafts (app_id) where is_current;
create index listing_drafts_of_app on listing_drafts (workspace_id, app_id, id);
select enable_tenant_isolation('listing_drafts');

create table listing_draft_versions (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  draft_id int not null references listing_drafts on delete cascade,
  locale text not null,
  texts jsonb not null,
  saved_at timestamptz not null,
  saved_by int references users on delete set null
);
create index listing_draft_versions_newest
  on listing_draft_versions (workspace_id, draft_id, locale, id desc);
create index listing_draft_versions_in_order on listing_draft_versions (draft_id, id desc);
select enable_tenant_isolation('listing_draft_versions');
