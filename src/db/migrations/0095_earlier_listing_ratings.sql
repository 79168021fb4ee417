-- Results and charts show the ratings that their storefront showed on their day, so a reading that
-- differs is a row of its own, and the readings before it stay. counted_on is the day of
-- rating_count where it is an earlier one: a card without a count has the count from before.
-- Retention deletes what precedes a row with is_first = false, once no stored result needs it.
-- Compatible with 0.4.0: its processes do not know the table.
alter table listing_ratings
  drop constraint listing_ratings_pkey,
  add primary key (listing_id, country, read_on),
  add column counted_on date,
  add column is_first boolean not null default true;
create index listing_ratings_superseding on listing_ratings (read_on) where not is_first;
