-- Views of a workspace's data for BI tools and psql. A login of PostgreSQL is bound to a workspace
-- by its row here, and the views show the rows of that workspace. PostgreSQL has the password; no
-- backup contains this table, because the logins of another server are other ones.
-- Compatible with 0.4.0: nothing of it exists there, and its roles have rights of their own.
create table reader_logins (
  login text primary key check (login ~ '^[a-z][a-z0-9_]{0,62}$'),
  workspace_id int not null references workspaces on delete cascade,
  label text check (length(label) between 1 and 80),
  created_at timestamptz not null
);
create index reader_logins_workspace on reader_logins (workspace_id);
select enable_tenant_isolation('reader_logins');

-- The number of reviews that a first reading of a store finds. Each start writes it.
alter table stores add column first_reviews int;

create schema reader;

-- One row a day, so that a condition on the date is a range of an index.
create table reader.calendar (
  date date primary key,
  month date not null,
  day_index int not null
);
insert into reader.calendar
select day, date_trunc('month', day)::date, extract(day from day)::int - 1
from (select date '2008-01-01' + n as day from generate_series(0, 18992) as n) as days;

-- The workspace of the session's login; null for every other session, and while the workspace is
-- suspended or deleted, as for a token of the API. `set role` and settings do not change it.
create function reader.workspace_id() returns int
language sql stable security definer set search_path = public, pg_temp as $$
  select r.workspace_id from reader_logins r join workspaces w on w.id = r.workspace_id
  where r.login = session_user and w.suspended_at is null and w.delete_at is null
$$;

-- Today in UTC.
create function reader.today() returns date language sql stable as $$
  select (now() at time zone 'UTC')::date
$$;

-- The days of a keyword with the depth to which it was tracked, from its first day to `until`: 0
-- paused, -1 over the limit of the plan, -2 waiting for its first check. The same rule as
-- `trackedDepths` of src/domain/tracking/rankings/tracking-periods.ts.
create function reader.tracked_days(periods jsonb, until date)
returns table (from_day date, to_day date, depth int)
language sql stable rows 2 as $$
  with period as (
    select row_number() over (order by p.value->>0, p.n) as n, (p.value->>0)::date as day,
      (p.value->>1)::int as depth, coalesce((p.value->>2)::int, 0) < 0 as is_awaited,
      lead((p.value->>0)::date) over (order by p.value->>0, p.n) as next_day
    from jsonb_array_elements(periods) with ordinality as p(value, n)
  )
  select p.day + p.is_awaited::int, least(p.next_day - 1, until), p.depth from period p
  where p.day + p.is_awaited::int <= least(p.next_day - 1, until)
  union all
  select p.day, p.day, coalesce((
    select nullif(greatest(b.depth, 0), 0) from period b
    where b.n < p.n and not (b.is_awaited and b.day = p.day) order by b.n desc limit 1), -2)
  from period p
  where p.is_awaited and p.day <= until and (p.next_day is null or p.next_day > p.day)
$$;

-- The instant of a shared fact as the workspace knows it, as `toOwnInstant` of the same file.
create function reader.own_instant(periods jsonb, at timestamptz) returns timestamptz
language sql stable as $$
  select greatest(at, date_trunc('day', at, 'UTC') + make_interval(secs => coalesce((
    select (p.value->>2)::int from jsonb_array_elements(periods) with ordinality as p(value, n)
    where p.value->>0 = to_char(at at time zone 'UTC', 'YYYY-MM-DD')
      and coalesce((p.value->>2)::int, 0) >= 0
    order by p.n desc limit 1), 0)))
$$;

-- The seconds from midnight to the check on a day of a packed month of a market.
create function reader.check_seconds(days bytea, day_index int) returns int
language sql immutable as $$
  select (get_byte(days, day_index * 4 + 1) << 16) + (get_byte(days, day_index * 4 + 2) << 8)
    + get_byte(days, day_index * 4 + 3)
$$;

create view reader.workspace with (security_barrier) as
select w.id, w.name, w.created_at from workspaces w where w.id = (select reader.workspace_id());

create view reader.apps with (security_barrier) as
select a.id as app_id, l.store, l.store_app_id,
  coalesce(s.facts->>'name', case when l.named_in = a.primary_country then l.name else coalesce((
    select n.name from listing_names n
    where n.listing_id = l.id and n.country = a.primary_country),
    case when l.named_in is null then l.name end) end, l.store_app_id) as name,
  a.display_name,
  case when s.facts is null then l.developer else s.facts->>'developer' end as developer,
  a.primary_country, s.facts->>'category' as category, d.rating, d.rating_count, d.installs,
  s.facts->>'version' as version, a.tags, a.note,
  coalesce(a.tracked_since, a.created_at) as created_at, a.archived_at
from apps a
join listings l on l.id = a.listing_id
left join lateral (
  select fields - array['summary', 'description', 'releaseNotes', 'screenshotUrls', 'languages']
    as facts
  from snapshots where listing_id = a.listing_id and country = a.primary_country
  order by id desc limit 1
) s on true
left join lateral (
  select rating, rating_count, installs from listing_days
  where listing_id = a.listing_id and country = a.primary_country order by on_date desc limit 1
) d on true
where a.workspace_id = (select reader.workspace_id())
  and (a.purge_at is null or a.purge_at > now());

create view reader.keywords with (security_barrier) as
select k.id as keyword_id, k.app_id, k.phrase as keyword, l.store, k.country, k.device, k.depth,
  k.tags, k.note, k.favorite, k.paused, coalesce(k.tracked_since, k.created_at) as created_at,
  k.latest_on as latest_date, k.latest_position, k.latest_depth, k.latest_at as latest_checked_at,
  best.position as best_position, best.date as best_date
from keywords k
join apps a on a.id = k.app_id
join listings l on l.id = a.listing_id
-- A best position of another provider than today's is compared with nothing.
left join lateral (
  select k.best_position as position, k.best_on as date
  where (select p.provider from position_series p where p.store = l.store
      and p.from_day <= k.best_on order by p.from_day desc limit 1)
    = (select p.provider from position_series p where p.store = l.store
      and p.from_day <= reader.today() order by p.from_day desc limit 1)
) best on true
where k.workspace_id = (select reader.workspace_id()) and k.archived_at is null
  and (a.purge_at is null or a.purge_at > now());

-- Days with a rank of this instance, imported days, and the reasons of all others, exactly as
-- GET /apps/{id}/rankings?fill=gaps. The app is joined behind an optimization fence: its name is
-- then read once for each app.
create view reader.positions with (security_barrier) as
select day.date, k.app_id, a.name as app, k.id as keyword_id, k.phrase as keyword, a.store,
  k.country, k.device,
  case when f.position is not null then 'ranked' when f.depth is not null then 'not_found'
    else 'not_checked' end as state,
  f.position, f.depth,
  case when f.depth is not null then null when day.depth = -2 then 'not_yet_run'
    when day.depth = 0 then 'paused' when day.depth = -1 then 'over_quota'
    else coalesce(g.reason, 'not_yet_run') end as reason,
  case when v.byte <> 0 then reader.own_instant(k.tracking_periods, day.date::timestamp
      at time zone 'UTC' + make_interval(secs =>
        coalesce(reader.check_seconds(m.days, day.day_index), 0)))
    when f.depth is not null then day.date::timestamp at time zone 'UTC' + make_interval(secs =>
      coalesce(extract(epoch from i.checked_at - day.date::timestamp at time zone 'UTC')::int, 0))
    end as checked_at,
  case when v.byte <> 0 then s.provider when f.depth is not null then i.provider end as provider,
  b.provider as fallback_provider,
  case when b.position <= least(b.depth, day.depth) then b.position end as fallback_position,
  least(b.depth, day.depth)::smallint as fallback_depth,
  reader.own_instant(k.tracking_periods, b.checked_at) as fallback_checked_at
from keywords k
join (
  select a.id, a.listing_id, l.store, coalesce(a.display_name, (
      select s.fields->>'name' from snapshots s
      where s.listing_id = a.listing_id and s.country = a.primary_country
      order by s.id desc limit 1),
    case when l.named_in = a.primary_country then l.name else coalesce((
      select n.name from listing_names n
      where n.listing_id = l.id and n.country = a.primary_country),
      case when l.named_in is null then l.name end) end, l.store_app_id) as name
  from apps a join listings l on l.id = a.listing_id
  where a.workspace_id = (select reader.workspace_id())
    and (a.purge_at is null or a.purge_at > now())
  offset 0
) a on a.id = k.app_id
cross join lateral (
  select c.date, c.month, c.day_index, t.depth
  from reader.tracked_days(k.tracking_periods, reader.today()) t
  join reader.calendar c on c.date between t.from_day and t.to_day
  union all
  select r.on_date, null, null, null from imported_daily_ranks r
  where r.keyword_id = k.id and r.listing_id = a.listing_id and r.on_date <= reader.today()
    and r.on_date < (select min(p.value->>0)::date from jsonb_array_elements(k.tracking_periods)
      as p(value))
) day
-- By its key, whatever the planner expects: no row of another app is read.
left join lateral (
  select r.daily_ranks, r.depths from rank_months r
  where day.depth > 0 and r.listing_id = a.listing_id and r.month = day.month
    and r.market_id = k.market_id
  limit 1
) r on true
left join imported_daily_ranks i on i.keyword_id = k.id and i.on_date = day.date
  and i.listing_id = a.listing_id
left join market_months m on m.month = day.month and m.market_id = k.market_id
left join market_gaps g on g.market_id = k.market_id and g.on_date = day.date
left join lateral (
  select p.provider from position_series p where p.store = a.store and p.from_day <= day.date
  order by p.from_day desc limit 1
) s on true
-- The byte of the day: 0 not checked, 255 not found. Nothing is visible beyond the tracked depth.
cross join lateral (
  select coalesce(case when get_byte(r.daily_ranks, day.day_index) > day.depth then 255
    else get_byte(r.daily_ranks, day.day_index) end, 0) as byte
) v
cross join lateral (
  select case when v.byte between 1 and 200 then v.byte::smallint
      when v.byte = 0 then i.position end as position,
    case when v.byte <> 0 then least(get_byte(r.depths, day.day_index), day.depth)::smallint
      else i.depth end as depth
) f
left join lateral (
  select b.provider, b.depth, b.checked_at,
    b.positions[array_position(b.listing_ids, a.listing_id)] as position
  from fallback_checks b
  where f.depth is null and day.depth > 0 and b.market_id = k.market_id and b.on_date = day.date
    and a.listing_id = any(b.listing_ids)
) b on true
where k.workspace_id = (select reader.workspace_id()) and k.archived_at is null;

create view reader.gaps with (security_barrier) as
select date, app_id, app, keyword_id, keyword, store, country, device, reason, fallback_provider,
  fallback_position, fallback_depth, fallback_checked_at
from reader.positions where state = 'not_checked';

-- The live competitors of each app.
create view reader.competitors with (security_barrier) as
select c.id as competitor_id, c.app_id, l.store, l.store_app_id,
  coalesce(s.facts->>'name', case when l.named_in = a.primary_country then l.name else coalesce((
    select n.name from listing_names n
    where n.listing_id = l.id and n.country = a.primary_country),
    case when l.named_in is null then l.name end) end, l.store_app_id) as name,
  case when s.facts is null then l.developer else s.facts->>'developer' end as developer,
  c.relationship, c.note, d.rating, d.rating_count, d.installs,
  coalesce(c.tracked_since, c.created_at) as created_at
from competitors c
join apps a on a.id = c.app_id
join listings l on l.id = c.listing_id
-- Readings from before it was followed belong to other workspaces.
left join lateral (
  select rating, rating_count, installs, read_at from listing_days
  where listing_id = c.listing_id and country = a.primary_country and read_at >= c.followed_at
  order by on_date desc limit 1
) d on true
left join lateral (
  select fields - array['summary', 'description', 'releaseNotes', 'screenshotUrls', 'languages']
    as facts
  from snapshots where d.read_at is not null and listing_id = c.listing_id
    and country = a.primary_country
  order by id desc limit 1
) s on true
where c.workspace_id = (select reader.workspace_id()) and c.archived_at is null
  and (a.purge_at is null or a.purge_at > now());

create view reader.events with (security_barrier) as
select e.sequence, e.type, e.app_id, e.occurred_at, e.body::jsonb as body
from events e where e.workspace_id = (select reader.workspace_id());

create view reader.annotations with (security_barrier) as
select n.id as annotation_id, n.app_id, n.on_date as date, n.text, n.keyword_ids, n.created_at
from annotations n join apps a on a.id = n.app_id
where n.workspace_id = (select reader.workspace_id())
  and (a.purge_at is null or a.purge_at > now());

-- Own readings as far as the workspace follows the storefront, and imported reviews that this
-- instance does not show itself; as GET /apps/{id}/reviews.
create view reader.reviews with (security_barrier) as
with feed as (
  select f.app_id, f.listing_id, f.country, f.since, f.began, c.synced_at is not null as was_read,
    oldest.dated_at as shown_from
  from (
    select a.id as app_id, a.listing_id, l.store, f.country,
      min(f.since)::timestamp at time zone 'UTC' as since,
      min(case when (f.created_at at time zone 'UTC')::date = f.since then f.created_at
        else f.since::timestamp at time zone 'UTC' end) as began
    from apps a
    join listings l on l.id = a.listing_id
    cross join lateral (
      select a.primary_country as country, (a.created_at at time zone 'UTC')::date as since,
        a.created_at
      union all
      select k.country, (k.tracking_periods->0->>0)::date, k.created_at
      from keywords k where k.app_id = a.id and k.archived_at is null
    ) f
    where a.workspace_id = (select reader.workspace_id())
      and (a.purge_at is null or a.purge_at > now())
    group by a.id, a.listing_id, l.store, f.country
  ) f
  left join review_coverage c on c.listing_id = f.listing_id and c.country = f.country
    and c.synced_at >= f.since
  left join lateral (
    select r.dated_at from reviews r
    where r.listing_id = f.listing_id and r.country = f.country and r.first_seen_at < f.since
    order by r.dated_at desc, r.id desc
    offset (select s.first_reviews - 1 from stores s where s.store = f.store) limit 1
  ) oldest on c.listing_id is not null
), shown as (
  select f.app_id, r.id, r.country, r.store_review_id, r.author, r.rating, r.title, r.body,
    r.version, r.language, r.reviewed_at,
    case when r.first_seen_at >= f.since and r.dated_at >= f.since
      then greatest(r.first_seen_at, f.began) end as first_seen_at,
    case when r.edited_at >= f.since then greatest(r.edited_at, f.began) end as edited_at,
    r.reply, r.reply_at, r.dated_at
  from feed f join reviews r on r.listing_id = f.listing_id and r.country = f.country
    and (r.first_seen_at >= f.since
      or f.was_read and (f.shown_from is null or r.dated_at >= f.shown_from))
), known as (
  select * from shown
  union all
  select i.app_id, n.id, n.country, n."storeReviewId", n.author, n.rating, n.title, n.body,
    n.version, n.language, n."reviewedAt", n."firstSeenAt", n."editedAt", n.reply->>'text',
    (n.reply->>'at')::timestamptz,
    coalesce(n."reviewedAt", n."firstSeenAt", '2000-01-01T00:00:00Z')
  from imported_facts i
  cross join lateral jsonb_to_recordset(i.items) as n(id bigint, country text, "storeReviewId" text,
    author text, rating smallint, title text, body text, version text, language text,
    "reviewedAt" timestamptz, "firstSeenAt" timestamptz, "editedAt" timestamptz, reply jsonb)
  where i.workspace_id = (select reader.workspace_id()) and i.kind = 'reviews'
    and exists (select from feed f where f.app_id = i.app_id and f.country = n.country)
    and not exists (select from shown s where s.app_id = i.app_id and s.country = n.country
      and s.store_review_id = n."storeReviewId")
)
select r.id as review_id, r.app_id, r.country, r.store_review_id, r.author, r.rating, r.title,
  r.body, r.version, r.language, r.dated_at, r.reviewed_at, r.first_seen_at, r.edited_at, r.reply,
  r.reply_at, coalesce(m.tags, '{}') as tags, m.note, m.read_at is not null as is_read
from known r
left join review_marks m on m.app_id = r.app_id and m.country = r.country
  and m.store_review_id = r.store_review_id;

-- The charts in which an app may be ranked, on the days on which it tracked them; as
-- GET /apps/{id}/category-ranks?fill=gaps. src/domain/tracking/charts/followed-charts.ts has the
-- rules.
create view reader.category_ranks with (security_barrier) as
with app as (
  select a.id, a.listing_id, a.primary_country, a.created_at, l.store,
    least(coalesce((a.archived_at at time zone 'UTC')::date, reader.today()), reader.today())
      as until
  from apps a join listings l on l.id = a.listing_id
  where a.workspace_id = (select reader.workspace_id())
    and (a.purge_at is null or a.purge_at > now())
), span as (
  select id as app_id, primary_country as country, (created_at at time zone 'UTC')::date
      as from_day,
    until as to_day,
    ceil(extract(epoch from created_at - date_trunc('day', created_at, 'UTC'))) as from_second
  from app
  union all
  select k.app_id, k.country, p.day, p.to_day, p.second
  from app
  join keywords k on k.app_id = app.id
  cross join lateral (
    select (p.value->>0)::date as day, (p.value->>1)::int as depth,
      case when (p.value->>2)::int < 0 then -1 - (p.value->>2)::int
        else coalesce((p.value->>2)::int, 0) end as second,
      least(lead((p.value->>0)::date) over (order by p.value->>0, p.n) - 1, app.until,
        (k.archived_at at time zone 'UTC')::date) as to_day
    from jsonb_array_elements(k.tracking_periods) with ordinality as p(value, n)
  ) p
  where p.depth > 0 and p.day <= p.to_day
), spot as (
  select app.id as app_id, app.listing_id, app.store, d.date, d.country, category.id as category_id,
    category.name as category, chart.name as chart
  from app
  join (
    select distinct s.app_id, s.country, c.date
    from span s join reader.calendar c on c.date between s.from_day and s.to_day
  ) d on d.app_id = app.id
  left join lateral (
    select substring(f.fields->>'categoryId' from '^[A-Za-z0-9_]{1,60}$') as category_id,
      f.fields->>'category' as category, (f.fields->>'priceMicros')::float8 > 0 as costs,
      (f.fields->>'inAppPurchases')::boolean as sells
    from (
      (select s.fields, 1 as rank from snapshots s
      where s.listing_id = app.listing_id and s.country = app.primary_country
        and s.taken_at < (d.date + 1)::timestamp at time zone 'UTC'
      order by s.taken_at desc, s.id desc limit 1)
      union all
      (select s.fields, 2 from snapshots s
      where s.listing_id = app.listing_id and s.country = app.primary_country
      order by s.taken_at, s.id limit 1)
    ) f order by f.rank limit 1
  ) facts on true
  cross join lateral (
    select null::text as id, null::text as name
    union all select facts.category_id, facts.category where facts.category_id <> ''
  ) category
  cross join lateral (
    select case when facts.costs then 'paid' else 'free' end as name
    union all select 'grossing' where coalesce(facts.costs, false) or coalesce(facts.sells, true)
  ) chart
), imported as (
  select distinct on (i.app_id, n.date, n.country, n.category->>'id', n.chart) i.app_id, n.date,
    n.country, n.category->>'id' as category_id, n.category->>'name' as category, n.chart,
    n.position, n.depth, n."checkedAt" as checked_at
  from imported_facts i
  join app on app.id = i.app_id
  cross join lateral rows from (jsonb_to_recordset(i.items) as (date date, country text,
    category jsonb, chart text, position smallint, depth smallint, "checkedAt" timestamptz))
    with ordinality as n(date, country, category, chart, position, depth, "checkedAt", nth)
  where i.workspace_id = (select reader.workspace_id()) and i.kind = 'category_ranks'
    and n.date <= reader.today()
  order by i.app_id, n.date, n.country, n.category->>'id', n.chart, i.id desc, n.nth desc
)
select s.date, s.app_id, s.country, s.category_id,
  case when c.depth is null and i.depth is not null then i.category else s.category end
    as category,
  s.chart,
  case when read.depth is null then 'not_checked' when read.position is null then 'not_found'
    else 'ranked' end as state,
  read.position::smallint as position, read.depth, read.checked_at,
  case when read.depth is null then coalesce(g.reason, 'not_yet_run') end as reason
from spot s
left join imported i on i.app_id = s.app_id and i.date = s.date and i.country = s.country
  and i.category_id is not distinct from s.category_id and i.chart = s.chart
left join store_tasks t on t.store = s.store and t.kind = 'chart' and t.country = s.country
  and t.listing_id is null and t.market_id is null and t.chart = s.chart
  and t.category is not distinct from s.category_id
left join charts c on c.store_task_id = t.id and c.on_date = s.date
left join store_task_gaps g on g.store_task_id = t.id and g.on_date = s.date
cross join lateral (
  select case when c.depth is null then i.depth else c.depth end as depth,
    case when c.depth is null then i.position::int else (
      select n from generate_series(1, length(c.ids) / 4) as n
      where substring(c.ids from n * 4 - 3 for 4) = int4send(s.listing_id) limit 1
    ) end as position,
    case when c.depth is null then i.checked_at
      else greatest(c.read_at, (
        select date_trunc('day', c.read_at, 'UTC') + make_interval(secs => min(
          case when p.from_day < (c.read_at at time zone 'UTC')::date then 0
            else p.from_second end))
        from span p where p.app_id = s.app_id and p.country = s.country
          and (c.read_at at time zone 'UTC')::date between p.from_day and p.to_day
      )) end as checked_at
) read
union all
select i.date, i.app_id, i.country, i.category_id, i.category, i.chart,
  case when i.position is null then 'not_found' else 'ranked' end, i.position, i.depth,
  i.checked_at, null
from imported i
where not exists (select from spot s where s.app_id = i.app_id and s.date = i.date
  and s.country = i.country and s.category_id is not distinct from i.category_id
  and s.chart = i.chart);

-- Prepares the roles of the views, which exist from the first `toprung reader create` on: an
-- instance without readers needs no right to create roles. Its caller owns the database. A later
-- migration that adds a view calls it where the roles exist. It may run any number of times.
--   toprung_views: owns the views. Row-level security shows it the workspace of the login.
--   toprung_reader: what every reader may do, which is to read the views.
create function prepare_readers() returns void language plpgsql as $$
declare
  tenant text;
  name text;
  database text := current_database();
begin
  foreach name in array array['toprung_views', 'toprung_reader'] loop
    if not exists (select from pg_roles where rolname = name) then
      begin
        execute format('create role %I nologin', name);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
  end loop;
  if not pg_has_role(current_user, 'toprung_views', 'set') then
    execute format('grant toprung_views to %I with set true, inherit true', current_user);
  end if;

  grant usage on schema public, reader to toprung_views;
  grant select on reader_logins, workspaces, apps, keywords, competitors, imported_daily_ranks,
    imported_facts, events, annotations, review_marks, stores, listings, listing_names,
    listing_days, snapshots, rank_months, market_months, market_gaps, fallback_checks,
    position_series, store_tasks, store_task_gaps, charts, reviews, review_coverage,
    reader.calendar to toprung_views;
  if not exists (select from pg_policies where tablename = 'reader_logins'
      and policyname = 'own_login') then
    create policy own_login on reader_logins for select to toprung_views
      using (login = session_user);
    create policy own_login on workspaces for select to toprung_views
      using (exists (select from reader_logins r
        where r.login = session_user and r.workspace_id = id));
  end if;
  foreach tenant in array array['apps', 'keywords', 'competitors', 'imported_daily_ranks',
      'imported_facts', 'events', 'annotations', 'review_marks'] loop
    if not exists (select from pg_policies where tablename = tenant
        and policyname = 'own_login') then
      execute format('create policy own_login on %I for select to toprung_views'
        ' using (workspace_id = (select reader.workspace_id()))', tenant);
    end if;
  end loop;

  execute 'grant create on schema reader to toprung_views';
  for name in
    select c.oid::regclass::text from pg_class c
    where c.relnamespace = 'reader'::regnamespace and c.relkind = 'v'
      and c.relowner <> 'toprung_views'::regrole
  loop
    execute format('alter view %s owner to toprung_views', name);
  end loop;
  alter function reader.workspace_id() owner to toprung_views;
  execute 'revoke create on schema reader from toprung_views';

  grant usage on schema reader to toprung_reader;
  for name in
    select c.oid::regclass::text from pg_class c
    where c.relnamespace = 'reader'::regnamespace and c.relkind = 'v'
  loop
    execute format('grant select on %s to toprung_reader', name);
  end loop;

  -- Every login may call the functions of `public`, some of which write as another role, and may
  -- create temporary tables. The product's roles have rights of their own.
  execute format('grant temporary on database %I to toprung_app, toprung_system', database);
  execute format('revoke temporary on database %I from public', database);
  revoke usage on schema public from public;
  perform restrict_catalog_functions();
end $$;

-- Locks that the product waits for, and large objects, which fill the disk, are open to every login
-- of PostgreSQL. Only a superuser may change that: the owner of an embedded database is one.
create function restrict_catalog_functions() returns void language plpgsql as $$
declare
  called regprocedure;
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    return;
  end if;
  for called in
    select p.oid::regprocedure from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace
      and (p.proname ~ '^pg_(try_)?advisory_' or p.proname = 'pg_notify'
        or p.proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_put', 'lo_open', 'lowrite'))
      and (p.proacl is null or has_function_privilege('toprung_reader', p.oid, 'execute'))
  loop
    execute format('grant execute on function %s to toprung_app, toprung_system', called);
    execute format('revoke execute on function %s from public', called);
  end loop;
end $$;

revoke execute on function prepare_readers(), restrict_catalog_functions() from public;

comment on schema reader is 'The data of one workspace for BI tools.';
comment on view reader.workspace is 'The workspace that this login reads. One row.';
comment on view reader.apps is
  'The apps of the workspace, archived ones included, with the facts of their latest reading.';
comment on view reader.keywords is
  'The live keywords, paused ones included, with their latest and best positions.';
comment on view reader.positions is
  'One row for each keyword and day since the keyword was tracked, and for each imported day.';
comment on view reader.gaps is 'The days of reader.positions without a check, with the reason.';
comment on view reader.category_ranks is
  'Positions of the apps in the top charts: one row for each chart and day.';
comment on view reader.reviews is
  'Written reviews of the apps in the countries that the workspace tracks.';
comment on view reader.competitors is 'The live competitors of each app.';
comment on view reader.events is 'Events as webhooks and GET /events report them.';
comment on view reader.annotations is 'Notes on days of an app.';
comment on column reader.workspace.id is 'The id of the workspace.';
comment on column reader.workspace.name is 'Its name.';
comment on column reader.workspace.created_at is 'When it was created.';
comment on column reader.apps.app_id is 'The id of the app in this workspace.';
comment on column reader.apps.store is 'ios or android.';
comment on column reader.apps.store_app_id is 'The id of the app in the store.';
comment on column reader.apps.name is 'The name in the store of the primary country.';
comment on column reader.apps.display_name is
  'The name that the workspace gave it; null without one.';
comment on column reader.apps.developer is 'The name of the developer.';
comment on column reader.apps.primary_country is 'The country whose store the facts come from.';
comment on column reader.apps.category is 'The category in the store.';
comment on column reader.apps.rating is 'The average rating; null when unknown.';
comment on column reader.apps.rating_count is 'The number of ratings; null when unknown.';
comment on column reader.apps.installs is
  'Installs as the store shows them; null when it does not.';
comment on column reader.apps.version is 'The current version.';
comment on column reader.apps.tags is 'Tags of the workspace.';
comment on column reader.apps.note is 'A note of the workspace.';
comment on column reader.apps.created_at is 'Since when it is tracked.';
comment on column reader.apps.archived_at is 'When it was archived; null for a live app.';
comment on column reader.keywords.keyword_id is 'The id of the keyword.';
comment on column reader.keywords.app_id is 'The app.';
comment on column reader.keywords.keyword is 'The phrase.';
comment on column reader.keywords.store is 'ios or android.';
comment on column reader.keywords.country is 'The country code of the store, such as us.';
comment on column reader.keywords.device is 'The device of the search.';
comment on column reader.keywords.depth is 'The depth to which it is tracked now.';
comment on column reader.keywords.tags is 'Tags of the workspace.';
comment on column reader.keywords.note is 'A note of the workspace.';
comment on column reader.keywords.favorite is 'It is marked as a favorite.';
comment on column reader.keywords.paused is 'It is not checked.';
comment on column reader.keywords.created_at is 'Since when it is tracked.';
comment on column reader.keywords.latest_date is
  'The day of the newest check; null before the first one.';
comment on column reader.keywords.latest_position is
  'Its position; null: not found within latest_depth.';
comment on column reader.keywords.latest_depth is 'The depth that was examined.';
comment on column reader.keywords.latest_checked_at is 'The time of the check.';
comment on column reader.keywords.best_position is 'The best position by the current provider.';
comment on column reader.keywords.best_date is 'The day of the best position.';
comment on column reader.positions.date is 'The day in UTC.';
comment on column reader.positions.app_id is 'The app.';
comment on column reader.positions.app is 'The name of the app.';
comment on column reader.positions.keyword_id is 'The keyword.';
comment on column reader.positions.keyword is 'The phrase.';
comment on column reader.positions.store is 'ios or android.';
comment on column reader.positions.country is 'The country code of the store, such as us.';
comment on column reader.positions.device is 'The device of the search.';
comment on column reader.positions.state is
  'ranked, not_found (checked, and not within depth), or not_checked.';
comment on column reader.positions.position is '1 is the top result. Null: see state. Never 0.';
comment on column reader.positions.depth is
  'The number of results that were examined; null for a day without a check.';
comment on column reader.positions.reason is
  'Why there is no check: shed, store_error, not_served, over_quota, not_yet_run or paused.';
comment on column reader.positions.checked_at is 'The time of the check.';
comment on column reader.positions.provider is
  'The source of the results. Positions of two providers are not comparable.';
comment on column reader.positions.fallback_provider is
  'On a day without a check: another provider that responded.';
comment on column reader.positions.fallback_position is
  'The position by that provider; null: not found within fallback_depth.';
comment on column reader.positions.fallback_depth is 'The number of results that it examined.';
comment on column reader.positions.fallback_checked_at is 'The time of its response.';
comment on column reader.gaps.date is 'The day in UTC.';
comment on column reader.gaps.app_id is 'The app.';
comment on column reader.gaps.app is 'The name of the app.';
comment on column reader.gaps.keyword_id is 'The keyword.';
comment on column reader.gaps.keyword is 'The phrase.';
comment on column reader.gaps.store is 'ios or android.';
comment on column reader.gaps.country is 'The country code of the store, such as us.';
comment on column reader.gaps.device is 'The device of the search.';
comment on column reader.gaps.reason is
  'shed: the day was too short; store_error: the store did not respond; not_served: the '
  'provider has no results of this device; over_quota: the plan allows fewer keywords; '
  'not_yet_run: no run yet, or none that day; paused: nobody tracked it.';
comment on column reader.gaps.fallback_provider is 'Another provider that responded on that day.';
comment on column reader.gaps.fallback_position is
  'The position by that provider; null: not found within fallback_depth.';
comment on column reader.gaps.fallback_depth is 'The number of results that it examined.';
comment on column reader.gaps.fallback_checked_at is 'The time of its response.';
comment on column reader.category_ranks.date is 'The day in UTC.';
comment on column reader.category_ranks.app_id is 'The app.';
comment on column reader.category_ranks.country is 'The country code of the store, such as us.';
comment on column reader.category_ranks.category_id is
  'The id of the category in the store; null: the chart of all apps.';
comment on column reader.category_ranks.category is 'The name of the category.';
comment on column reader.category_ranks.chart is 'free, paid or grossing.';
comment on column reader.category_ranks.state is
  'ranked, not_found (read, and not within depth), or not_checked.';
comment on column reader.category_ranks.position is
  '1 is the top of the chart. Null: see state. Never 0.';
comment on column reader.category_ranks.depth is
  'The number of positions that the store showed; null for a day without a reading.';
comment on column reader.category_ranks.checked_at is 'The time of the reading.';
comment on column reader.category_ranks.reason is
  'Why there is no reading: shed, store_error or not_yet_run.';
comment on column reader.reviews.review_id is 'The id of the review.';
comment on column reader.reviews.app_id is 'The app.';
comment on column reader.reviews.country is 'The country code of the store, such as us.';
comment on column reader.reviews.store_review_id is 'The id of the review in the store.';
comment on column reader.reviews.author is 'The name of the author.';
comment on column reader.reviews.rating is '1 to 5 stars.';
comment on column reader.reviews.title is 'The title; null without one.';
comment on column reader.reviews.body is 'The text.';
comment on column reader.reviews.version is 'The version of the app that was reviewed.';
comment on column reader.reviews.language is 'The language of the text, as far as it is known.';
comment on column reader.reviews.dated_at is 'reviewed_at, or when it was first seen.';
comment on column reader.reviews.reviewed_at is 'When it was written or last edited.';
comment on column reader.reviews.first_seen_at is
  'When it was first seen; null for reviews from before the app was tracked.';
comment on column reader.reviews.edited_at is 'When an edit was seen.';
comment on column reader.reviews.reply is 'The reply of the developer.';
comment on column reader.reviews.reply_at is 'When the developer replied.';
comment on column reader.reviews.tags is 'Tags of the workspace.';
comment on column reader.reviews.note is 'A note of the workspace.';
comment on column reader.reviews.is_read is 'Somebody of the workspace marked it as read.';
comment on column reader.competitors.competitor_id is 'The id of the competitor.';
comment on column reader.competitors.app_id is 'The app that it is compared with.';
comment on column reader.competitors.store is 'ios or android.';
comment on column reader.competitors.store_app_id is 'The id of the competitor in the store.';
comment on column reader.competitors.name is
  'The name in the store of the primary country of the app.';
comment on column reader.competitors.developer is 'The name of the developer.';
comment on column reader.competitors.relationship is
  'The relationship as the workspace describes it.';
comment on column reader.competitors.note is 'A note of the workspace.';
comment on column reader.competitors.rating is 'The average rating; null when unknown.';
comment on column reader.competitors.rating_count is 'The number of ratings; null when unknown.';
comment on column reader.competitors.installs is
  'Installs as the store shows them; null when it does not.';
comment on column reader.competitors.created_at is 'Since when it is tracked.';
comment on column reader.events.sequence is 'Counts up by one within the workspace.';
comment on column reader.events.type is 'The type, such as rank.dropped.';
comment on column reader.events.app_id is
  'The app; null when it concerns none or the app was deleted.';
comment on column reader.events.occurred_at is 'When it happened.';
comment on column reader.events.body is 'The event as webhooks receive it.';
comment on column reader.annotations.annotation_id is 'The id of the annotation.';
comment on column reader.annotations.app_id is 'The app.';
comment on column reader.annotations.date is 'The day.';
comment on column reader.annotations.text is 'The text.';
comment on column reader.annotations.keyword_ids is 'The keywords that it is about; empty: all.';
comment on column reader.annotations.created_at is 'When it was written.';
