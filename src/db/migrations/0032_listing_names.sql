-- A listing's name differs between storefronts. `name` in listings is that of the storefront
-- `named_in`, where it was first read, last written on `named_on`. This table has the others, so
-- that a reading in one country changes no name in another. Names from before have no storefront:
-- they are shown where no other is known, and never change. A name is null where the store lacked
-- the app on read_on.
alter table listings add column named_in text, add column named_on date;

create table listing_names (
  listing_id int not null references listings,
  country text not null,
  name text,
  read_on date not null,
  primary key (listing_id, country)
);
grant select, insert, update on listing_names to toprung_app;

alter table unnamed_listings drop constraint unnamed_listings_pkey,
  add primary key (listing_id, country);
