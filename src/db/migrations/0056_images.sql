-- Pictures of listings, fetched from the stores' image servers. They are public facts, which belong
-- to no workspace. One row for each content: many addresses lead to the same bytes.
create table images (
  hash bytea primary key check (length(hash) = 32), -- SHA-256 of the bytes
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  width smallint not null check (width > 0),
  height smallint not null check (height > 0),
  bytes bytea not null check (length(bytes) <= 524288)
);
-- They are compressed already.
alter table images alter column bytes set storage external;

-- What is to be fetched, and what came of it. A picture never changes at its address, so a row with
-- a hash is done. due_at is null once it is done or given up; while it is fetched, it is the end of
-- the lease.
create table image_sources (
  id bigint generated always as identity primary key,
  store text not null references stores,
  kind text not null check (kind in ('icon', 'screenshot')),
  -- The address without server and size, which identifies the picture.
  identity text not null check (identity ~ '^/' and length(identity) <= 1000),
  -- The listing whose snapshot has it; null for one that somebody only looked at.
  listing_id int references listings,
  -- The workspace that was the first to look at it.
  requested_by int,
  -- Lower ones first: 0 somebody waits for it, 1 icons, 2 screenshots.
  priority smallint not null,
  created_on date not null,
  used_on date not null,
  image_hash bytea references images,
  due_at timestamptz,
  attempts smallint not null default 0,
  last_marker text,
  unique (store, kind, identity)
);
create index image_sources_due on image_sources (store, priority, due_at) where due_at is not null;
create index image_sources_used on image_sources (used_on);
create index image_sources_hash on image_sources (image_hash) where image_hash is not null;
create index image_sources_requested on image_sources (requested_by, created_on)
  where requested_by is not null;

-- Snapshots whose pictures are not in image_sources yet.
create table snapshots_to_picture (
  snapshot_id bigint primary key references snapshots on delete cascade
);

create function add_snapshots_to_picture() returns trigger language plpgsql as $$
begin
  insert into snapshots_to_picture select id from added on conflict do nothing;
  return null;
end $$;
create trigger picture_snapshots after insert on snapshots referencing new table as added
for each statement execute function add_snapshots_to_picture();

insert into snapshots_to_picture select id from snapshots;

grant select, insert, update on images, image_sources, snapshots_to_picture to toprung_app;
