-- Written reviews of a storefront: public facts. This table holds the newest version of each, and
-- review_versions the earlier ones.
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
  -- The instant at which it was written or last edited, by the store's account.
  reviewed_at timestamptz,
  first_seen_at timestamptz not null,
  edited_at timestamptz,                   -- the instant at which an edit was seen
  reply text,
  reply_at timestamptz,
  -- The reading that wrote this row, until that reading has reached known reviews. While it is set,
  -- older reviews may be missing: the next reading must not stop at this one.
  pending_sync_id uuid,
  dated_at timestamptz not null generated always as (coalesce(reviewed_at, first_seen_at)) stored,
  unique (listing_id, country, store_review_id)
);
create index reviews_newest on reviews (listing_id, country, dated_at desc, id desc)
  include (first_seen_at);
create index reviews_seen on reviews (first_seen_at);
create index reviews_pending_sync on reviews (listing_id, country)
  where pending_sync_id is not null;

-- The text of a review before an edit.
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

-- How far back a listing's reviews in a country are completely known. A row is written when a
-- reading reached known reviews.
create table review_coverage (
  listing_id int not null references listings,
  country text not null,
  synced_at timestamptz not null,
  known_from timestamptz,                  -- null: the store's list was read to its end
  -- The instant at which a reading found more new reviews than the store shows.
  exceeded_at timestamptz,
  primary key (listing_id, country)
);
grant select on reviews, review_versions, review_coverage to toprung_app;

-- A workspace's own tags and notes on a review, keyed by the store's id of it: after an import they
-- exist before the review is read here.
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
select enable_tenant_isolation('review_marks');
