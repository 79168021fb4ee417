-- What a listing changed between two readings, field by field: public facts, written with the later one's snapshot.
-- Who follows a listing may see a change when it followed it at `previous_at` already, the earlier reading.
create table changes (
  id int generated always as identity primary key,
  listing_id int not null references listings,
  country text not null,
  language text,
  field text not null,
  before jsonb,
  after jsonb,
  version text,
  detected_at timestamptz not null,
  previous_at timestamptz not null,
  snapshot_id int references snapshots
);
create index changes_listing on changes (listing_id, detected_at desc);
create index changes_detected on changes (detected_at);
create index changes_snapshot on changes (snapshot_id);
grant select, insert on changes to toprung_app;

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
select lock_tenant('annotations');
