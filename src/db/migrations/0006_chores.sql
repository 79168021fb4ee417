-- Store work of the day besides rank checks and refreshes: one row for each feed, chart, page or hint search. Public facts;
-- like market_schedule, the plan is the state of these rows.
create table chores (
  id int generated always as identity primary key,
  store text not null check (store in ('ios', 'android')),
  kind text not null check (kind in ('reviews', 'chart', 'page', 'hints')),
  country text not null check (country ~ '^[a-z]{2}$'),
  listing_id int references listings,      -- reviews, page
  market_id int references markets,        -- hints
  chart text check (chart in ('free', 'paid', 'grossing')),
  category text,                           -- the store's own id; null: all apps
  every_days smallint not null default 1,
  active boolean not null default true,    -- somebody asks for it
  read_on date,                            -- the last day with an answer
  settled_on date,                         -- the last day with an outcome: an answer, or a gap
  urgent_at timestamptz,
  queued_until timestamptz,
  attempts smallint not null default 0,
  attempts_on date,
  retry_at timestamptz,
  last_marker text,
  usual_requests real,
  unique nulls not distinct (store, kind, country, listing_id, market_id, chart, category)
) with (fillfactor = 60);
create index chores_turns on chores (store, kind, read_on nulls first, id) where active;
create index chores_urgent on chores (store, urgent_at) where urgent_at is not null;
create index chores_listing on chores (listing_id) where listing_id is not null;
create index chores_market on chores (market_id) where market_id is not null;

-- Why a chore has no answer on a day.
create table chore_gaps (
  chore_id int not null references chores,
  on_date date not null,
  reason text not null check (reason in ('shed', 'store_error', 'not_yet_run')),
  marker text,
  primary key (chore_id, on_date)
);
grant select, insert, update on chores to toprung_app;
grant select on chore_gaps to toprung_app;
