-- What the stores showed: public facts, no tenant in them.

create table listings (
  id int generated always as identity primary key,
  store text not null check (store in ('ios', 'android')),
  store_app_id text not null check (length(store_app_id) between 1 and 200),
  bundle_id text,
  name text,
  developer text,
  icon_url text,
  rating real,
  rating_count int,
  card_hash int,
  seen_on date,
  unique (store, store_app_id)
);

-- A listing's texts; a new row only when something in them changed.
create table snapshots (
  id int generated always as identity primary key,
  listing_id int not null references listings,
  country text not null,
  language text,
  taken_at timestamptz not null,
  content_hash bytea not null,
  fields jsonb not null
);
create index snapshots_newest on snapshots (listing_id, country, id desc);

-- A listing's numbers, one row a day; the day's last reading stands.
create table listing_days (
  listing_id int not null references listings,
  country text not null,
  on_date date not null,
  rating real,
  rating_count int,
  installs bigint,
  price_micros bigint,
  read_at timestamptz not null,
  primary key (listing_id, country, on_date)
);

-- What a search is spent on, once a day, whatever number of apps and workspaces look at it.
create table markets (
  id int generated always as identity primary key,
  store text not null check (store in ('ios', 'android')),
  country text not null check (country ~ '^[a-z]{2}$'),
  phrase text not null check (length(phrase) between 1 and 100),
  unique (store, country, phrase)
);

-- Where a market stands in the daily run: the plan is the state of these rows.
create table market_schedule (
  market_id int primary key references markets,
  store text not null,
  depth smallint not null default 0 check (depth between 0 and 200), -- the largest anyone asks; 0: nobody does
  turn int not null default 1,             -- nth market of its workspace: makes taking turns an index scan
  checked_on date,                         -- the last day with a row
  settled_on date,                         -- the last day with an outcome: a row, or a gap nothing more is tried for
  urgent_at timestamptz,                   -- somebody is waiting for it
  queued_until timestamptz,                -- handed to the queue; comes back when this passes
  attempts smallint not null default 0,    -- of the day in attempts_on
  attempts_on date,
  retry_at timestamptz,
  usual_results smallint,
  usual_requests real,
  last_marker text
) with (fillfactor = 60);
create index market_schedule_turns on market_schedule (store, checked_on nulls first, turn, market_id) where depth > 0;
create index market_schedule_urgent on market_schedule (store, urgent_at) where urgent_at is not null;
create index market_schedule_queued on market_schedule (store) where queued_until is not null;

-- One byte a day: 0 not checked, 1..200 the position, 255 checked and not found. Clustered by app and month.
-- Beside each the places examined, a copy of the market's: an app's past is read from what lies together, without a join.
-- A fifth of each page is left free so that filling in a day is a HOT update: no index entry, no vacuum needed.
-- The next day's update finds the room that the last one's leavings are pruned from.
create table rank_months (
  listing_id int not null,
  month date not null,
  market_id int not null,
  cells bytea not null default decode(repeat('00', 31), 'hex') check (length(cells) = 31),
  depths bytea not null default decode(repeat('00', 31), 'hex') check (length(depths) = 31),
  primary key (listing_id, month, market_id)
) with (fillfactor = 80);
alter table rank_months alter column cells set storage plain, alter column depths set storage plain;

-- Four bytes a day: places examined (0: not checked), then seconds from the run day's midnight to the answer.
-- Month first, so that the markets of an app lie together and the day's updates stay within one part of the index.
create table market_months (
  market_id int not null,
  month date not null,
  days bytea not null default decode(repeat('00', 124), 'hex') check (length(days) = 124),
  primary key (month, market_id)
) with (fillfactor = 80);
alter table market_months alter column days set storage plain;

-- Why a market has no row on a day. A market-day has a row or a gap, never both.
create table market_gaps (
  market_id int not null,
  on_date date not null,
  reason text not null check (reason in ('shed', 'store_error', 'over_quota', 'not_yet_run')),
  marker text,
  primary key (market_id, on_date)
);

-- The first places of an answer: ids are listing ids, four bytes each, first place first; strengths are the
-- rating x 100 (two bytes) and rating count (four bytes) of the first ten, 0xffff and 0xffffffff for none.
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

-- Which listing is to be read in which country, and when it was.
create table listing_schedule (
  listing_id int not null references listings,
  country text not null,
  store text not null,
  active boolean not null default true,
  refreshed_on date,
  settled_on date,
  urgent_at timestamptz,
  queued_until timestamptz,
  attempts smallint not null default 0,
  attempts_on date,
  retry_at timestamptz,
  last_marker text,
  primary key (listing_id, country)
) with (fillfactor = 60);
create index listing_schedule_turns on listing_schedule (store, country, refreshed_on nulls first) where active;
create index listing_schedule_urgent on listing_schedule (store, urgent_at) where urgent_at is not null;
create index listing_schedule_queued on listing_schedule (store) where queued_until is not null;

-- One row per store and egress endpoint: the next instant a request may leave.
create table pacing (
  store text not null check (store in ('ios', 'android')),
  endpoint text not null,
  interval_us bigint not null,
  next_at timestamptz not null,
  cool_until timestamptz,
  strikes smallint not null default 0,
  slow_factor real not null default 1,
  healed_at timestamptz,
  granted bigint not null default 0,
  refused bigint not null default 0,
  last_refusal_at timestamptz,
  last_marker text,
  primary key (store, endpoint)
) with (fillfactor = 20);

-- What each store was really asked, per UTC day.
create table store_requests (
  store text not null,
  on_date date not null,
  kind text not null,
  requests bigint not null default 0,
  bytes bigint not null default 0,
  refused bigint not null default 0,
  primary key (store, on_date, kind)
);

-- One daily run per UTC date, whatever number of schedulers.
create table runs (
  date date primary key,
  opened_at timestamptz not null,
  finished_at timestamptz,
  state text not null check (state in ('running', 'finished', 'degraded', 'overdue', 'missed')),
  pressure jsonb not null default '{}',
  shed jsonb not null default '{}'
);

-- Known searches asked before a store's batch: if they fail, nothing is believed.
create table canaries (
  store text not null,
  date date not null,
  state text not null check (state in ('ok', 'degraded')),
  tried_at timestamptz not null,
  attempts smallint not null default 1,
  marker text,
  primary key (store, date)
);

-- Ranks as plain rows, for people with psql.
create view rankings as
select r.listing_id, r.market_id, (r.month + d.day) as date,
  nullif(get_byte(r.cells, d.day), 255)::smallint as position,
  coalesce(nullif(get_byte(r.depths, d.day), 0), get_byte(m.days, d.day * 4))::smallint as depth,
  (r.month + d.day)::timestamp at time zone 'UTC' + make_interval(secs =>
    (get_byte(m.days, d.day * 4 + 1) << 16) + (get_byte(m.days, d.day * 4 + 2) << 8) + get_byte(m.days, d.day * 4 + 3)) as checked_at
from rank_months r
join market_months m using (market_id, month)
cross join generate_series(0, 30) as d(day)
where get_byte(r.cells, d.day) <> 0;
