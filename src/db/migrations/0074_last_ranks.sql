-- The ranks of all tracked apps at the newest check of a market in one row, as a copy of what that
-- check wrote to rank_months: comparing an app with hundreds of others reads one row for each
-- market instead of one for each market and app. Markets with few apps have no row, and a row that
-- is not of the day in question is not read.
-- Compatible with 0.4.0: its processes write later days to rank_months alone, which makes a row
-- here one of an earlier day.
create table last_ranks (
  market_id int primary key,
  on_date date not null,
  depth smallint not null,
  -- Four bytes for each listing, lowest id first, and in the same order one byte for each rank.
  listing_ids bytea not null,
  daily_ranks bytea not null,
  check (length(listing_ids) = 4 * length(daily_ranks))
) with (fillfactor = 60);
grant select on last_ranks to toprung_app;
