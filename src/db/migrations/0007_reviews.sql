-- Written reviews of a storefront: public facts. The newest version stands here, earlier ones beside it.
create table reviews (
  id int generated always as identity primary key,
  listing_id int not null references listings,
  country text not null,
  store_review_id text not null,
  author text,
  rating smallint not null check (rating between 1 and 5),
  title text,
  body text not null,
  version text,
  language text,
  reviewed_at timestamptz,                 -- when it was written or last edited, as the store says
  first_seen_at timestamptz not null,
  edited_at timestamptz,                   -- when an edit was seen
  reply text,
  reply_at timestamptz,
  -- The reading that wrote this, until that reading has gone down to what was known. So long as it stands here, older
  -- reviews may be missing: the next reading must not stop at this one.
  unsettled_by uuid,
  dated_at timestamptz not null generated always as (coalesce(reviewed_at, first_seen_at)) stored,
  unique (listing_id, country, store_review_id)
);
create index reviews_newest on reviews (listing_id, country, dated_at desc, id desc) include (first_seen_at);
create index reviews_seen on reviews (first_seen_at);
create index reviews_unsettled on reviews (listing_id, country) where unsettled_by is not null;

-- What a review said before an edit.
create table review_versions (
  id int generated always as identity primary key,
  review_id int not null references reviews on delete cascade,
  seen_at timestamptz not null,
  replaced_at timestamptz not null,
  reviewed_at timestamptz,
  rating smallint not null,
  title text,
  body text not null,
  version text
);
create index review_versions_review on review_versions (review_id, id);

-- How far back a listing's reviews of a country are really known. A row is written when a reading came to what was known.
create table review_coverage (
  listing_id int not null references listings,
  country text not null,
  synced_at timestamptz not null,
  known_from timestamptz,                  -- nothing older than this is known; null: the store's list was read to its end
  exceeded_at timestamptz,                 -- more was written between two readings than the store shows
  primary key (listing_id, country)
);

-- A workspace's own marks on a review, by the store's name of it: they are there before the review is read here, after an
-- import, and say nothing of whether it is.
create table review_marks (
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  country text not null,
  store_review_id text not null,
  tags text[] not null default '{}',
  note text,
  read_at timestamptz,
  primary key (app_id, country, store_review_id)
);
create index review_marks_workspace on review_marks (workspace_id);
select lock_tenant('review_marks');

-- The star counts a listing's page shows, one row a day, 1 star first.
create table rating_days (
  listing_id int not null references listings,
  country text not null,
  on_date date not null,
  rating real,
  rating_count int,
  histogram int[] check (cardinality(histogram) = 5),
  primary key (listing_id, country, on_date)
);
grant select on reviews, review_versions, review_coverage, rating_days to toprung_app;
