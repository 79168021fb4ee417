-- Each search provider is probed by itself. Earlier probes were those of the series' provider.
alter table store_probes add column provider text;
update store_probes p set provider = coalesce(position_provider(p.store, p.date), '');
alter table store_probes alter column provider set not null;
alter table store_probes drop constraint store_probes_pkey;
alter table store_probes add primary key (date, store, provider);

-- The probes that decide on the positions of a day.
create view series_probes as
select store, date, state, probed_at, attempts, marker from store_probes p
where provider = position_provider(p.store, p.date);
grant select on series_probes to toprung_app;

-- What another provider said on a day on which the provider of the positions did not respond. The
-- day stays a gap: the orders of two providers are never compared. ids as in serps; listing_ids and
-- positions are those of the tracked listings, null for not found within the depth.
create table fallback_checks (
  market_id int not null,
  on_date date not null,
  provider text not null,
  depth smallint not null check (depth between 1 and 200),
  checked_at timestamptz not null,
  result_count smallint not null check (result_count >= 0),
  ended text not null check (ended in ('depth', 'exhausted', 'truncated')),
  ids bytea not null,
  listing_ids int[] not null,
  positions smallint[] not null,
  primary key (market_id, on_date),
  foreign key (market_id, on_date) references market_gaps on delete cascade,
  check (cardinality(listing_ids) = cardinality(positions))
);
grant select on fallback_checks to toprung_app;

-- The first day of the series to which a market's positions of a day belong.
create function market_series_start(of_market int, on_day date) returns date
language sql stable as $$
  select max(s.from_day) from markets m join position_series s using (store)
  where m.id = of_market and s.from_day <= on_day
$$;

-- For each ad of a search the position of the result that follows it; null where the provider shows
-- none.
alter table serps add column ads smallint[];

-- A provider may give most results by id alone. Their names are looked up together, once for each
-- country and day. Each start writes for the provider of the positions whether it does so.
alter table stores add column result_lookups smallint not null default 0;

-- Listings whose names are looked up next; a row is deleted with its outcome.
create table unnamed_listings (
  listing_id int primary key references listings,
  store text not null references stores,
  country text not null,
  since timestamptz not null,
  queued_until timestamptz,
  attempts smallint not null default 0
);
create index on unnamed_listings (store, country);

-- How far the orders of two providers are apart in the sampled markets: the apps that both have in
-- their first 50 positions, the median of their distances, and Spearman's correlation.
create table provider_comparisons (
  market_id int not null references markets,
  on_date date not null,
  store text not null references stores,
  a text not null,
  b text not null,
  common smallint not null check (common >= 0),
  median_distance real check (median_distance >= 0),
  correlation real check (correlation between -1 and 1),
  primary key (on_date, market_id)
);
grant select on provider_comparisons to toprung_app;
