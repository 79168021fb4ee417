-- Ratings differ between storefronts, as names do. `listings` has those of whichever storefront
-- was read last; this table has what the cards of each storefront showed, on read_on for the first
-- time. Nothing is known for readings from before: the next cards of a storefront fill it.
create table listing_ratings (
  listing_id int not null references listings,
  country text not null,
  rating real,
  rating_count int,
  read_on date not null,
  primary key (listing_id, country)
);
grant select, insert, update on listing_ratings to toprung_app;
