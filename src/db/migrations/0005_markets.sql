-- Public facts of markets and their search results, which belong to no workspace.

-- A phrase in a country of a store: one search a day, however many apps and workspaces track it.
create table markets (
  id int generated always as identity primary key,
  store text not null references stores,
  country text not null check (country ~ '^[a-z]{2}$'),
  phrase text not null check (length(phrase) between 1 and 100),
  unique (store, country, phrase)
);

-- The progress of each market in the daily run. The plan of a day is the state of these rows.
create table market_schedule (
  market_id int primary key references markets,
  store text not null,
  -- The largest depth that any keyword requests; 0 when none does.
  depth smallint not null default 0 check (depth between 0 and 200),
  -- The market's ordinal within its workspace: an index scan then alternates between workspaces.
  round_robin_order int not null default 1,
  checked_on date,                         -- the last day with a row
  completed_on date,                       -- the last day with a row or a final gap
  urgent_at timestamptz,                   -- somebody is waiting for it
  queued_until timestamptz,                -- the lease of the queue: due again when this passes
  attempts smallint not null default 0,    -- of the day in attempts_on
  attempts_on date,
  retry_at timestamptz,
  usual_results smallint,
  usual_requests real,
  last_marker text
) with (fillfactor = 60);
create index market_schedule_due
  on market_schedule (store, checked_on nulls first, round_robin_order, market_id) where depth > 0;
create index market_schedule_urgent on market_schedule (store, urgent_at)
  where urgent_at is not null;
create index market_schedule_queued on market_schedule (store) where queued_until is not null;

-- One byte a day: 0 not checked, 1..200 the position, 255 checked and not found. Clustered by app
-- and month. The depths repeat the market's, so that an app's history is read without a join.
-- A fifth of each page is left free so that filling in a day is a HOT update: no index entry, no
-- vacuum needed; the next day's update reuses the space that the last one left behind.
create table rank_months (
  listing_id int not null,
  month date not null,
  market_id int not null,
  daily_ranks bytea storage plain not null default decode(repeat('00', 31), 'hex')
    check (length(daily_ranks) = 31),
  depths bytea storage plain not null default decode(repeat('00', 31), 'hex')
    check (length(depths) = 31),
  primary key (listing_id, month, market_id)
) with (fillfactor = 80);

-- Four bytes a day: positions examined (0: not checked), then the seconds from the run day's
-- midnight to the store's response. The key begins with the month, so that the markets of an app
-- lie together and the day's updates stay within one part of the index.
create table market_months (
  market_id int not null,
  month date not null,
  days bytea storage plain not null default decode(repeat('00', 124), 'hex')
    check (length(days) = 124),
  primary key (month, market_id)
) with (fillfactor = 80);

-- Why a market has no row on a day. A market-day has a row or a gap, never both.
create table market_gaps (
  market_id int not null,
  on_date date not null,
  reason text not null check (reason in ('shed', 'store_error', 'over_quota', 'not_yet_run')),
  marker text,
  primary key (market_id, on_date)
);

-- The first positions of a response. ids are listing ids, four bytes each, first position first.
-- strengths are the rating x 100 (two bytes) and the rating count (four bytes) of the first ten,
-- 0xffff and 0xffffffff for none.
create table serps (
  market_id int not null,
  on_date date not null,
  depth smallint not null check (depth between 1 and 200),
  result_count smallint not null check (result_count >= 0),
  ended text not null check (ended in ('depth', 'exhausted', 'truncated')),
  provider text not null,
  language text,
  ids bytea not null,
  strengths bytea not null,
  primary key (market_id, on_date)
);

-- Ranks as plain rows, for people with psql.
create view rankings as
select r.listing_id, r.market_id, (r.month + d.day) as date,
  nullif(get_byte(r.daily_ranks, d.day), 255)::smallint as position,
  coalesce(nullif(get_byte(r.depths, d.day), 0), get_byte(m.days, d.day * 4))::smallint as depth,
  (r.month + d.day)::timestamp at time zone 'UTC' + make_interval(secs =>
    (get_byte(m.days, d.day * 4 + 1) << 16) + (get_byte(m.days, d.day * 4 + 2) << 8)
    + get_byte(m.days, d.day * 4 + 3)) as checked_at
from rank_months r
join market_months m using (market_id, month)
cross join generate_series(0, 30) as d(day)
where get_byte(r.daily_ranks, d.day) <> 0;

-- Market-days that were checked and not evaluated for alerts yet: written with the check, deleted
-- with the events that it led to.
create table pending_evaluations (
  market_id int not null references markets,
  on_date date not null,
  primary key (on_date, market_id)
);

grant select, insert, update on markets, market_schedule to toprung_app;
grant select on rank_months, market_months, market_gaps, serps, rankings to toprung_app;
