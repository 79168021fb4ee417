-- Public facts of a store's listings, which belong to no workspace.

create table listings (
  id int generated always as identity primary key,
  store text not null references stores,
  store_app_id text not null check (length(store_app_id) between 1 and 200),
  bundle_id text,
  name text,
  developer text,
  icon_url text,
  rating real,
  rating_count int,
  card_hash int,
  seen_on date,
  unique (store, store_app_id)
);

-- A listing's texts. A new row is written only when one of them changed.
create table snapshots (
  id int generated always as identity primary key,
  listing_id int not null references listings,
  country text not null,
  language text,
  taken_at timestamptz not null,
  content_hash bytea not null,
  fields jsonb not null
);
create index snapshots_newest on snapshots (listing_id, country, id desc);

-- The fields that differ between two readings of a listing, written with the later one's snapshot.
-- A workspace may see a change when it followed the listing at previous_at, the earlier reading.
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
  snapshot_id int references snapshots,
  evaluated boolean not null default false -- for alerts: each change becomes events at most once
);
create index changes_listing on changes (listing_id, detected_at desc);
create index changes_detected on changes (detected_at);
create index changes_snapshot on changes (snapshot_id);
create index changes_unevaluated on changes (id) where not evaluated;

-- A listing's numbers, one row a day. The day's last reading replaces earlier ones.
create table listing_days (
  listing_id int not null references listings,
  country text not null,
  on_date date not null,
  rating real,
  rating_count int,
  installs bigint,
  price_micros bigint,
  read_at timestamptz not null,
  primary key (listing_id, country, on_date)
);

-- The star counts on a listing's page, one row a day, 1 star first.
create table rating_days (
  listing_id int not null references listings,
  country text not null,
  on_date date not null,
  rating real,
  rating_count int,
  histogram int[] check (cardinality(histogram) = 5),
  primary key (listing_id, country, on_date)
);

-- The countries in which each listing is refreshed every day.
create table listing_schedule (
  listing_id int not null references listings,
  country text not null,
  store text not null,
  active boolean not null default true,
  refreshed_on date,
  completed_on date,
  urgent_at timestamptz,
  queued_until timestamptz,
  attempts smallint not null default 0,
  attempts_on date,
  retry_at timestamptz,
  last_marker text,
  primary key (listing_id, country)
) with (fillfactor = 60);
create index listing_schedule_due on listing_schedule (store, country, refreshed_on nulls first)
  where active;
create index listing_schedule_urgent on listing_schedule (store, urgent_at)
  where urgent_at is not null;
create index listing_schedule_queued on listing_schedule (store) where queued_until is not null;

grant select, insert, update on listings, snapshots, listing_days, listing_schedule to toprung_app;
grant select, insert on changes to toprung_app;
grant select on rating_days to toprung_app;
