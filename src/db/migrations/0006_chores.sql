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
  every_days smallint not null default 1 check (every_days > 0),
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
create index chores_queued on chores (store) where queued_until is not null;
create index chores_listing on chores (listing_id) where listing_id is not null;
create index chores_market on chores (market_id) where market_id is not null;

-- Why a chore has no answer on a day. A chore's day has an answer or a gap, never both.
create table chore_gaps (
  chore_id int not null references chores,
  on_date date not null,
  reason text not null check (reason in ('shed', 'store_error', 'not_yet_run')),
  marker text,
  primary key (chore_id, on_date)
);

-- Which listings a chore is done for, whoever follows them: a chart is read once for every app that may stand in it.
create table chore_demand (
  chore_id int not null references chores,
  listing_id int not null references listings,
  primary key (chore_id, listing_id)
);
create index chore_demand_listing on chore_demand (listing_id);
grant select, insert, update on chores to toprung_app;
grant select on chore_gaps, chore_demand to toprung_app;

-- What a workspace's day costs besides searches and refreshes: {"reviews": [jobs, requests], ...}.
alter table budgets add column chores jsonb not null default '{}';

-- Requests a reading takes before anything is learned of it; hints are four questions at most.
create function usual_chore_requests(kind text) returns real
language sql immutable as $$ select case kind when 'hints' then 4 else 1 end $$;

-- A chore that is not for every day has its day of the week, fortnight, ...: so the days are alike, and none is skipped for another.
-- A first reading waits for no such day, unless a day that was too short gave it up: then the week takes what one day could not.
-- What was read ahead of its day skips it, where the one after is near enough.
create function is_chore_day(chore chores, day date) returns boolean
language sql immutable as $$
  select chore.every_days = 1
    or chore.read_on is null and chore.last_marker is distinct from 'shed'
    or (day - date '2000-01-01') % chore.every_days = chore.id % chore.every_days
      and (chore.read_on is null or day - chore.read_on > chore.every_days / 2)
$$;

-- Names tables of later migrations.
set local check_function_bodies = off;

-- The charts an app may stand in, by what its listing shows in the app's own country: all apps' and its category's; the free
-- or the paid ones, and the grossing ones unless nothing can be bought. Before the first reading only all apps' are known.
create function charts_of_app(listing int, home text) returns table (category text, chart text)
language sql stable as $$
  select categories.category, names.chart
  from (select 1) as one
  left join lateral (
    select substring(s.fields->>'categoryId' from '^\w{1,60}$') as category, (s.fields->>'priceMicros')::float8 > 0 as costs,
      (s.fields->>'inAppPurchases')::boolean as sells
    from snapshots s where s.listing_id = listing and s.country = home order by s.id desc limit 1
  ) as facts on true
  cross join lateral (select null::text as category union select facts.category) as categories
  cross join lateral (
    select case when facts.costs then 'paid' else 'free' end as chart
    union all select 'grossing' where coalesce(facts.costs, false) or coalesce(facts.sells, true)
  ) as names
$$;

create type wanted_chore as (store text, kind text, country text, listing_id int, chart text, category text, wanted_by int);

-- What is wanted for listings: feeds, pages and charts in each app's primary country and every country with keywords;
-- of a competitor's listing the page alone, where the app is that it is compared with.
create function wanted_chores(listing_ids int[]) returns setof wanted_chore
language sql stable as $$
  with followed as (
    select a.listing_id, a.id as app_id, true as is_own from apps a where a.listing_id = any(listing_ids)
    union all
    select c.listing_id, c.app_id, false from competitors c where c.listing_id = any(listing_ids) and c.archived_at is null
  ), homes as (
    select f.listing_id, f.is_own, a.id as app_id, a.primary_country, l.store
    from followed f join apps a on a.id = f.app_id join workspaces w on w.id = a.workspace_id join listings l on l.id = f.listing_id
    where a.archived_at is null and w.visited
  ), countries as (
    -- Once an app: for each of its competitors, its keywords would be read again.
    select app_id, primary_country as country from homes
    union
    select h.app_id, k.country
    from (select distinct app_id from homes) h join keywords k on k.app_id = h.app_id and k.archived_at is null and not k.paused and not k.held
  ), places as (
    select h.store, h.listing_id, h.is_own, h.primary_country, c.country from homes h join countries c on c.app_id = h.app_id
  )
  select store, 'reviews', country, listing_id, null::text, null::text, listing_id from places where is_own
  union
  select store, 'page', country, listing_id, null, null, listing_id from places where store = 'ios'
  union
  select p.store, 'chart', p.country, null, c.chart, c.category, p.listing_id
  from (select distinct listing_id, primary_country from homes where is_own) as shown
  cross join lateral charts_of_app(shown.listing_id, shown.primary_country) c
  join places p on p.listing_id = shown.listing_id and p.primary_country = shown.primary_country and p.is_own
$$;

-- The row of what is wanted, of a listing or a chart: each read by its entry of the index, for which nulls must be named.
create function find_chore(w wanted_chore) returns setof int
language sql stable as $$
  select c.id from chores c
  where c.store = w.store and c.kind = w.kind and c.country = w.country and c.listing_id = w.listing_id and c.market_id is null
  union all
  select c.id from chores c
  where w.listing_id is null and c.store = w.store and c.kind = w.kind and c.country = w.country and c.listing_id is null and c.market_id is null
    and c.chart = w.chart and c.category is not distinct from w.category
$$;

-- Brings the demand of listings up to date; who calls it holds their locks. Chores are locked lowest id first, and only where
-- something changes: a chart has many followers, and nobody should wait for it who only adds another phrase in its country.
create function refresh_chore_demand(listing_ids int[]) returns void
language plpgsql security definer set search_path = public as $$
declare
  wanted wanted_chore[] := array(select w from wanted_chores(listing_ids) w);
  new_chores int[]; new_listings int[]; gone_chores int[]; gone_listings int[];
begin
  insert into chores (store, kind, country, listing_id, chart, category)
  select distinct w.store, w.kind, w.country, w.listing_id, w.chart, w.category from unnest(wanted) w
  where not exists (select from find_chore(w))
  order by 1, 2, 3, 4, 5, 6
  on conflict do nothing;

  with asked as (
    select c.id as chore_id, w.wanted_by as listing_id from unnest(wanted) w cross join lateral find_chore(w) as c(id)
  ), kept as (
    select d.chore_id, d.listing_id from chore_demand d where d.listing_id = any(listing_ids)
  )
  select array_agg(a.chore_id) filter (where k.chore_id is null), array_agg(a.listing_id) filter (where k.chore_id is null),
    array_agg(k.chore_id) filter (where a.chore_id is null), array_agg(k.listing_id) filter (where a.chore_id is null)
  into new_chores, new_listings, gone_chores, gone_listings
  from asked a full join kept k on k.chore_id = a.chore_id and k.listing_id = a.listing_id;

  perform from chores where id = any(new_chores || gone_chores) order by id for update;
  delete from chore_demand d using unnest(gone_chores, gone_listings) as gone(chore_id, listing_id)
  where d.chore_id = gone.chore_id and d.listing_id = gone.listing_id;
  insert into chore_demand (chore_id, listing_id) select * from unnest(new_chores, new_listings) on conflict do nothing;
  update chores c set active = asked.wanted, urgent_at = case when asked.wanted then c.urgent_at end
  from (select id, exists (select from chore_demand d where d.chore_id = id) as wanted from unnest(new_chores || gone_chores) as id) as asked
  where c.id = asked.id and c.active <> asked.wanted;
end $$;

-- A followed market's hints are read at the next run and then once a week; who calls it holds the markets' schedule rows.
create function refresh_hint_demand(market_ids int[]) returns void
language sql as $$
  insert into chores (store, kind, country, market_id, every_days)
  select m.store, 'hints', m.country, m.id, 7
  from markets m join market_schedule s on s.market_id = m.id
  where m.id = any(market_ids) and s.depth > 0 and not exists (select from chores c where c.market_id = m.id and c.kind = 'hints')
  order by m.id
  on conflict do nothing;
  update chores c set active = s.depth > 0, urgent_at = case when s.depth > 0 then c.urgent_at end
  from market_schedule s
  where s.market_id = c.market_id and c.market_id = any(market_ids) and c.kind = 'hints' and c.active <> (s.depth > 0);
$$;

do $$
begin
  execute 'grant create on schema public to toprung_system';
  execute 'alter function refresh_chore_demand(int[]) owner to toprung_system';
  execute 'revoke create on schema public from toprung_system';
end $$;
