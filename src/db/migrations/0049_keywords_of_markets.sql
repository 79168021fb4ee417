-- Archived keywords count on the days on which they were tracked. Without them in the index, a
-- check that comes after its day was counted read every keyword of the instance.
create index keywords_of_market on keywords (market_id);
drop index keywords_market;
