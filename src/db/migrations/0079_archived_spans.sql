-- When an app was archived before it was restored: [[archived at, restored at], ...], oldest first.
-- These days stay hidden, because others may have had the charts of its country read then.
alter table apps add column archived_spans jsonb not null default '[]';

-- The view leaves these days out, as src/domain/tracking/charts/followed-charts.ts does.
-- Compatible with 0.4.0: nothing of it reads the view.
create or replace view reader.category_ranks with (security_barrier) as
with app as (
  select a.id, a.listing_id, a.primary_country, a.created_at, a.archived_spans, l.store,
    least(coalesce((a.archived_at at time zone 'UTC')::date, reader.today()), reader.today())
      as until
  from apps a join listings l on l.id = a.listing_id
  where a.workspace_id = (select reader.workspace_id())
    and (a.purge_at is null or a.purge_at > now())
), span as (
  select app.id as app_id, app.primary_country as country,
    (s.began at time zone 'UTC')::date as from_day,
    least((s.ended at time zone 'UTC')::date, app.until) as to_day,
    ceil(extract(epoch from s.began - date_trunc('day', s.began, 'UTC'))) as from_second
  from app
  cross join lateral generate_series(0, jsonb_array_length(app.archived_spans)) as n
  cross join lateral (
    select case when n = 0 then app.created_at
        else (app.archived_spans->(n - 1)->>1)::timestamptz end as began,
      (app.archived_spans->n->>0)::timestamptz as ended
  ) s
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
