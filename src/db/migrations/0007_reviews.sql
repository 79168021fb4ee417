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
  reviewed_at timestamptz,
  first_seen_at timestamptz not null,
  edited_at timestamptz,
  reply text,
  reply_at timestamptz,
  unique (listing_id, country, store_review_id)
);
create index reviews_newest on reviews (listing_id, country, first_seen_at desc);
create index reviews_seen on reviews (first_seen_at);

create table review_versions (
  review_id int not null references reviews on delete cascade,
  seen_at timestamptz not null,
  rating smallint not null,
  title text,
  body text not null,
  reply text,
  primary key (review_id, seen_at)
);

-- How far back a listing's reviews of a country are really known.
create table review_coverage (
  listing_id int not null references listings,
  country text not null,
  synced_at timestamptz not null,
  known_from timestamptz,                  -- nothing older than this is known
  exceeded_at timestamptz,                 -- more was written between two readings than the store shows
  primary key (listing_id, country)
);

-- A workspace's own marks on a review.
create table review_marks (
  workspace_id int not null references workspaces on delete cascade,
  review_id int not null references reviews on delete cascade,
  tags text[] not null default '{}',
  note text,
  read_at timestamptz,
  primary key (workspace_id, review_id)
);
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
