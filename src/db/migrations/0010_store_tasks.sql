-- Store work of the day besides rank checks and refreshes: one row for each review feed, chart, app
-- page or hint search. Public facts; as with market_schedule, the plan is the state of these rows.
create table store_tasks (
  id int generated always as identity primary key,
  store text not null,
  kind text not null,
  country text not null check (country ~ '^[a-z]{2}$'),
  listing_id int references listings,      -- reviews, page
  market_id int references markets,        -- hints
  chart text check (chart in ('free', 'paid', 'grossing')),
  category text,                           -- the store's own id; null: all apps
  interval_days smallint not null default 1 check (interval_days > 0),
  active boolean not null default true,    -- some workspace requests it
  read_on date,                            -- the last day with a response
  completed_on date,                       -- the last day with a response or a gap
  urgent_at timestamptz,
  queued_until timestamptz,
  attempts smallint not null default 0,
  attempts_on date,
  retry_at timestamptz,
  last_marker text,
  usual_requests real,
  foreign key (store, kind) references store_task_kinds,
  unique nulls not distinct (store, kind, country, listing_id, market_id, chart, category)
) with (fillfactor = 60);
create index store_tasks_due on store_tasks (store, kind, read_on nulls first, id) where active;
create index store_tasks_urgent on store_tasks (store, urgent_at) where urgent_at is not null;
create index store_tasks_queued on store_tasks (store) where queued_until is not null;
create index store_tasks_listing on store_tasks (listing_id) where listing_id is not null;
create index store_tasks_market on store_tasks (market_id) where market_id is not null;

-- Why a store task has no response on a day. Its day has a response or a gap, never both.
create table store_task_gaps (
  store_task_id int not null references store_tasks,
  on_date date not null,
  reason text not null check (reason in ('shed', 'store_error', 'not_yet_run')),
  marker text,
  primary key (store_task_id, on_date)
);

-- The listings that a store task serves, whoever follows them: a chart is read once for every app
-- that may be in it.
create table store_task_demand (
  store_task_id int not null references store_tasks,
  listing_id int not null references listings,
  primary key (store_task_id, listing_id)
);
create index store_task_demand_listing on store_task_demand (listing_id);
grant select, insert, update on store_tasks to toprung_app;
grant select on store_task_gaps, store_task_demand to toprung_app;

-- A task that is not done every day has its own day of the week, fortnight and so on, derived from
-- its id, so that all days carry a similar load. A first reading does not wait for that day unless
-- a short day shed it; then the work of one day is spread over the week. A reading shortly before
-- its day replaces the one of that day.
create function is_store_task_day(task store_tasks, day date) returns boolean
language sql immutable as $$
  select task.interval_days = 1
    or task.read_on is null and task.last_marker is distinct from 'shed'
    or (day - date '2000-01-01') % task.interval_days = task.id % task.interval_days
      and (task.read_on is null or day - task.read_on > task.interval_days / 2)
$$;

-- The charts that an app may be in, by its listing in its own country: those of all apps and of its
-- category; the free or the paid ones, and the grossing ones unless nothing can be bought in it.
-- Before the first reading only the charts of all apps are known. A store may lack some charts.
create function charts_for_app(listing int, home text) returns table (category text, chart text)
language sql stable as $$
  select categories.category, names.chart
  from (select 1) as one
  left join lateral (
    select substring(s.fields->>'categoryId' from '^\w{1,60}$') as category,
      (s.fields->>'priceMicros')::float8 > 0 as costs,
      (s.fields->>'inAppPurchases')::boolean as sells
    from snapshots s where s.listing_id = listing and s.country = home order by s.id desc limit 1
  ) as facts on true
  cross join lateral (select null::text as category union select facts.category) as categories
  cross join lateral (
    select case when facts.costs then 'paid' else 'free' end as chart
    union all select 'grossing' where coalesce(facts.costs, false) or coalesce(facts.sells, true)
  ) as names
  where names.chart = any (
    (select s.charts from listings l join stores s using (store) where l.id = listing)::text[]
  )
$$;

create type requested_store_task as (
  store text, kind text, country text, listing_id int, chart text, category text, requested_by int
);

-- The tasks that listings request: feeds, pages and charts in each app's primary country and in
-- every country with keywords; for a competitor's listing the page alone, where the app is that it
-- is compared with.
create function requested_store_tasks(listing_ids int[]) returns setof requested_store_task
language sql stable as $$
  with followed as (
    select a.listing_id, a.id as app_id, true as is_own
    from apps a where a.listing_id = any(listing_ids)
    union all
    select c.listing_id, c.app_id, false
    from competitors c where c.listing_id = any(listing_ids) and c.archived_at is null
  ), homes as (
    select f.listing_id, f.is_own, a.id as app_id, a.primary_country, l.store
    from followed f
    join apps a on a.id = f.app_id
    join workspaces w on w.id = a.workspace_id
    join listings l on l.id = f.listing_id
    where a.archived_at is null and w.in_daily_run
  ), countries as (
    -- By app, so that an app's keywords are not read again for each of its competitors.
    select app_id, primary_country as country from homes
    union
    select h.app_id, k.country
    from (select distinct app_id from homes) h
    join keywords k on k.app_id = h.app_id and k.archived_at is null and not k.paused and not k.held
  ), storefronts as (
    select h.store, h.listing_id, h.is_own, h.primary_country, c.country
    from homes h join countries c on c.app_id = h.app_id
  )
  select s.store, k.kind, s.country, s.listing_id, null::text, null::text, s.listing_id
  from storefronts s
  join store_task_kinds k on k.store = s.store
    and (k.kind = 'reviews' and s.is_own or k.kind = 'page')
  union
  select s.store, 'chart', s.country, null, c.chart, c.category, s.listing_id
  from (select distinct listing_id, primary_country from homes where is_own) as shown
  cross join lateral charts_for_app(shown.listing_id, shown.primary_country) c
  join storefronts s on s.listing_id = shown.listing_id
    and s.primary_country = shown.primary_country and s.is_own
$$;

-- The row of a requested task of a listing or a chart. The unique index finds it only when the
-- nulls of its key are written out.
create function find_store_task(requested requested_store_task) returns setof int
language sql stable as $$
  select t.id from store_tasks t
  where t.store = requested.store and t.kind = requested.kind and t.country = requested.country
    and t.listing_id = requested.listing_id and t.market_id is null
  union all
  select t.id from store_tasks t
  where requested.listing_id is null
    and t.store = requested.store and t.kind = requested.kind and t.country = requested.country
    and t.listing_id is null and t.market_id is null
    and t.chart = requested.chart and t.category is not distinct from requested.category
$$;

-- Brings the demand of listings up to date; the caller holds their locks. Tasks are locked lowest
-- id first, and only where something changes: a chart serves many apps, and adding one more phrase
-- in its country must not wait for it.
create function refresh_store_task_demand(listing_ids int[]) returns void
language plpgsql security definer set search_path = public as $$
declare
  requested requested_store_task[] := array(select r from requested_store_tasks(listing_ids) r);
  new_tasks int[]; new_listings int[]; removed_tasks int[]; removed_listings int[];
begin
  insert into store_tasks (store, kind, country, listing_id, chart, category)
  select distinct r.store, r.kind, r.country, r.listing_id, r.chart, r.category
  from unnest(requested) r
  where not exists (select from find_store_task(r))
  order by 1, 2, 3, 4, 5, 6
  on conflict do nothing;

  with needed as (
    select t.id as store_task_id, r.requested_by as listing_id
    from unnest(requested) r cross join lateral find_store_task(r) as t(id)
  ), current as (
    select d.store_task_id, d.listing_id
    from store_task_demand d where d.listing_id = any(listing_ids)
  )
  select array_agg(n.store_task_id) filter (where c.store_task_id is null),
    array_agg(n.listing_id) filter (where c.store_task_id is null),
    array_agg(c.store_task_id) filter (where n.store_task_id is null),
    array_agg(c.listing_id) filter (where n.store_task_id is null)
  into new_tasks, new_listings, removed_tasks, removed_listings
  from needed n
  full join current c on c.store_task_id = n.store_task_id and c.listing_id = n.listing_id;

  perform from store_tasks where id = any(new_tasks || removed_tasks) order by id for update;
  delete from store_task_demand d
  using unnest(removed_tasks, removed_listings) as removed(store_task_id, listing_id)
  where d.store_task_id = removed.store_task_id and d.listing_id = removed.listing_id;
  insert into store_task_demand (store_task_id, listing_id)
  select * from unnest(new_tasks, new_listings) on conflict do nothing;
  update store_tasks t
  set active = demand.exists, urgent_at = case when demand.exists then t.urgent_at end
  from (
    select id, exists (select from store_task_demand d where d.store_task_id = id) as exists
    from unnest(new_tasks || removed_tasks) as id
  ) as demand
  where t.id = demand.id and t.active <> demand.exists;
end $$;

-- The hints of a tracked market are read in the next run and then once a week; the caller holds the
-- markets' schedule rows.
create function refresh_hint_demand(market_ids int[]) returns void
language sql as $$
  insert into store_tasks (store, kind, country, market_id, interval_days)
  select m.store, 'hints', m.country, m.id, 7
  from markets m
  join market_schedule s on s.market_id = m.id
  join store_task_kinds k on k.store = m.store and k.kind = 'hints'
  where m.id = any(market_ids) and s.depth > 0
    and not exists (select from store_tasks t where t.market_id = m.id and t.kind = 'hints')
  order by m.id
  on conflict do nothing;
  update store_tasks t
  set active = s.depth > 0, urgent_at = case when s.depth > 0 then t.urgent_at end
  from market_schedule s
  where s.market_id = t.market_id and t.market_id = any(market_ids) and t.kind = 'hints'
    and t.active <> (s.depth > 0);
$$;

do $$
begin
  execute 'grant create on schema public to toprung_system';
  execute 'alter function refresh_store_task_demand(int[]) owner to toprung_system';
  execute 'revoke create on schema public from toprung_system';
end $$;
