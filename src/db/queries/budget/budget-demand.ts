import { sql } from 'kysely';

/**
 * Computes the cost of the daily run from the CTEs `followed` and `homes`. A search costs what its
 * market took before, or else the average of the workspace's known markets, and at most
 * `search_requests`; names that a provider does not give take one lookup for each country
 * and device.
 * Store tasks cost what they took since this workspace began to request them, and a chart is shared
 * by all apps. New hints count as their weekly share; the remainder, due in the next run, is
 * reported as first hints.
 */
export const demand = sql`
  searched as (
    select workspace_id, store, market_id, min(country) as country, min(device) as device,
      max(depth) as depth, bool_or(seen) as seen, min(since) as since
    from followed group by workspace_id, store, market_id
  ), planned as (
    select d.*, s.usual_requests, s.depth as shared_depth,
      search_requests(stores, d.depth) as planned
    from searched d join stores using (store)
      left join market_schedule s on s.market_id = d.market_id
  ), priced as (
    select workspace_id, store, planned, count(*) as markets, count(learned) as known,
      coalesce(sum(learned), 0) as learned
    from (
      select *, case when not seen then null when shared_depth > depth
        then least(usual_requests::float8, planned) else usual_requests::float8 end as learned
      from planned
    ) as costed group by workspace_id, store, planned
  ), averages as (
    select workspace_id, store, sum(learned) / nullif(sum(known), 0) as usual from priced
      group by workspace_id, store
  ), searches as (
    select p.workspace_id, p.store, sum(p.markets)::int as markets, sum(p.known) > 0 as learned,
      sum(case when has_single_page(stores) then p.markets
        else p.learned + (p.markets - p.known) * coalesce(least(a.usual, p.planned), p.planned)
        end)::float8
        + min(result_lookups * (select count(distinct (country, device)) from searched d
          where d.workspace_id = p.workspace_id and d.store = p.store)) as requests
    from priced p join averages a using (workspace_id, store) join stores using (store)
    group by p.workspace_id, p.store
  ), own as (
    select workspace_id, store, listing_id, country, min(since) as since
    from (select workspace_id, store, listing_id, country, since from followed union all
      select workspace_id, store, listing_id, country, since from homes) as storefronts
    group by workspace_id, store, listing_id, country
  ), storefronts as (
    select workspace_id, store, listing_id, country, min(since) as since, bool_or(is_own) as is_own
    from (
      select *, true as is_own from own
      union all
      select o.workspace_id, o.store, c.listing_id, o.country,
        greatest(o.since, (c.created_at at time zone 'UTC')::date), false
      from homes h join competitors c on c.workspace_id = h.workspace_id and c.app_id = h.app_id
        and c.archived_at is null
      join own o on o.workspace_id = h.workspace_id and o.listing_id = h.listing_id
    ) as all_storefronts group by workspace_id, store, listing_id, country
  ), reads as (
    select workspace_id, store, sum(listings)::int as listings,
      sum(ceil(listings::float8 / listings_per_request)) as requests
    from (select workspace_id, store, country, count(*) as listings from storefronts
      group by workspace_id, store, country) as by_country join stores using (store)
    group by workspace_id, store
  ), feeds as (
    select p.workspace_id, p.store, kinds.kind, count(*)::float8 as jobs,
      sum(coalesce(case when c.read_on > p.since then c.usual_requests end,
        kinds.usual_requests))::float8 as requests
    from storefronts p
    join store_task_kinds kinds on kinds.store = p.store
      and (kinds.kind = 'reviews' and p.is_own or kinds.kind = 'page')
    left join store_tasks c on c.listing_id = p.listing_id and c.country = p.country
      and c.kind = kinds.kind
    group by p.workspace_id, p.store, kinds.kind
  ), top_charts as (
    select workspace_id, store, 'chart' as kind, count(*)::float8 as jobs,
      sum(usual_requests)::float8 as requests
    from (
      select distinct o.workspace_id, o.store, o.country, c.category, c.chart
      from homes h cross join lateral charts_for_app(h.listing_id, h.country) c
      join own o on o.workspace_id = h.workspace_id and o.listing_id = h.listing_id
    ) as requested join store_task_kinds using (store) where kind = 'chart'
    group by workspace_id, store
  ), hinted as (
    select d.workspace_id, d.store, d.country, kinds.usual_requests,
      case when d.seen and c.read_on >= d.since then c.usual_requests::float8 end as learned,
      case when d.seen and (c.read_on >= d.since or c.last_marker = 'shed')
        and c.completed_on >= d.since
        then is_store_task_day(c, last.day + 1)::int::float8 end as due_tomorrow
    from searched d join store_task_kinds kinds on kinds.store = d.store and kinds.kind = 'hints'
    cross join (select max(date) as day from runs) as last
    left join store_tasks c on c.market_id = d.market_id and c.kind = 'hints'
  ), proofs as (
    select workspace_id, store, 'hints' as kind, sum(likely)::float8 as requests
    from (
      select workspace_id, store, country, avg((learned < 1.5)::int) as likely from hinted
        join stores using (store) where confirms_empty_hints and due_tomorrow > 0
        group by workspace_id, store, country
    ) as storefronts group by workspace_id, store
  ), hints as (
    select workspace_id, store, kind, jobs, asked + coalesce(p.requests, 0) as requests
    from (
      select workspace_id, store, kinds.kind, sum(share)::float8 as jobs,
        (coalesce(sum(share * learned), 0)
          + coalesce(sum(share) filter (where learned is null), 0) * coalesce(avg(learned),
            max(usual_requests)))::float8 as asked
      from hinted
      cross join lateral (values
        ('hints', coalesce(due_tomorrow, 1 / 7.0::float8)),
        ('firstHints', case when due_tomorrow is null then 6 / 7.0::float8 else 0 end)
      ) as kinds(kind, share)
      group by workspace_id, store, kinds.kind
    ) as shared left join proofs p using (workspace_id, store, kind)
  ), loads as (
    select workspace_id, store,
      jsonb_object_agg(kind, jsonb_build_array(jobs, requests)) as store_tasks
    from (select * from feeds union all select * from top_charts union all select * from hints
      where jobs > 0) as kinds group by workspace_id, store
  ), demand as (
    select w.id as workspace_id, stores.store, stores.rank, coalesce(s.markets, 0) as markets,
      coalesce(s.requests, 0) as requests,
      coalesce(s.learned, false) as learned, coalesce(r.listings, 0) as listings,
        coalesce(r.requests, 0) as listing_requests,
      coalesce(l.store_tasks, '{}') as store_tasks
    from workspaces w cross join stores
    left join searches s on s.workspace_id = w.id and s.store = stores.store
    left join reads r on r.workspace_id = w.id and r.store = stores.store
    left join loads l on l.workspace_id = w.id and l.store = stores.store
  )`;
