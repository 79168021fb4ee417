import { sql } from 'kysely';

/**
 * Sums over the searched markets of the CTE `followed`, which the cost of a day is computed from:
 * they can be kept, and additions count into them without reading the other markets again. A search
 * costs what its market took before, at most `search_requests`. `due` is the number of hints that
 * the next run fetches, `unplanned` that of hints whose day is not known. Only hints have a market:
 * a condition on the kind would make the planner expect one row and read the table for each market.
 */
export const marketSums = (today: string) => sql`
  searched as (
    select workspace_id, store, market_id, min(country) as country, min(device) as device,
      max(depth) as depth, bool_or(seen) as seen, min(since) as since
    from followed group by workspace_id, store, market_id
  ), priced as (
    select d.workspace_id, d.store, d.country, d.device,
      search_requests(stores, d.depth) as planned,
      case when not d.seen then null when s.depth > d.depth
        then least(s.usual_requests::float8, search_requests(stores, d.depth))
        else s.usual_requests::float8 end as learned,
      case when d.seen and c.read_on >= d.since then c.usual_requests::float8 end as hint_learned,
      case when d.seen and (c.read_on >= d.since or c.last_marker = 'shed')
        and c.completed_on >= d.since
        then is_store_task_day(c, last.day + 1)::int::float8 end as due
    from searched d join stores using (store)
    cross join (select max(date) as day from runs where date <= ${today}::date) as last
    left join market_schedule s on s.market_id = d.market_id
    left join store_tasks c on c.market_id = d.market_id
  ), market_sums as (
    select workspace_id, store, country, device, planned, count(*)::int as markets,
      count(learned)::int as known, coalesce(sum(learned), 0) as learned,
      count(hint_learned)::int as hints_known, coalesce(sum(hint_learned), 0) as hints_learned,
      coalesce(sum(due), 0) as due, coalesce(sum(due * hint_learned), 0) as due_learned,
      coalesce(sum(due) filter (where hint_learned is null), 0) as due_unknown,
      (count(*) filter (where due is null))::int as unplanned,
      coalesce(sum(hint_learned) filter (where due is null), 0) as unplanned_learned,
      (count(*) filter (where due is null and hint_learned is null))::int as unplanned_unknown,
      (count(hint_learned) filter (where due > 0))::int as due_known,
      (count(*) filter (where due > 0 and hint_learned < 1.5))::int as due_empty
    from priced group by workspace_id, store, country, device, planned
  )`;

/**
 * Computes the cost of the daily run from the CTEs `market_sums`, `visited` and `homes`. A search
 * of unknown cost takes the average of the workspace's known markets; names that a provider does
 * not give take one lookup for each country and device.
 * Store tasks cost what they took since this workspace began to request them, and a chart is shared
 * by all apps. New hints count as their weekly share; the remainder, due in the next run, is
 * reported as first hints.
 */
export const demand = sql`
  averages as (
    select workspace_id, store, sum(learned) / nullif(sum(known), 0) as usual from market_sums
      group by workspace_id, store
  ), searches as (
    select p.workspace_id, p.store, sum(p.markets)::int as markets, sum(p.known) > 0 as learned,
      sum(case when has_single_page(stores) then p.markets
        else p.learned + (p.markets - p.known) * coalesce(least(a.usual, p.planned), p.planned)
        end)::float8
        + min(result_lookups) * count(distinct (p.country, p.device)) as requests
    from market_sums p join averages a using (workspace_id, store) join stores using (store)
    group by p.workspace_id, p.store
  ), own as (
    select workspace_id, store, listing_id, country, min(since) as since
    from (select workspace_id, store, listing_id, country, since from visited union all
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
  ), proofs as (
    select workspace_id, store, 'hints' as kind, sum(likely)::float8 as requests
    from (
      select workspace_id, store,
        sum(due_empty)::float8 / nullif(sum(due_known), 0) as likely
      from market_sums join stores using (store) where confirms_empty_hints
      group by workspace_id, store, country
    ) as storefronts group by workspace_id, store
  ), hints as (
    select workspace_id, store, kind, jobs, asked + coalesce(p.requests, 0) as requests
    from (
      select s.workspace_id, s.store, kinds.kind, kinds.jobs,
        kinds.learned + kinds.unknown
          * coalesce(s.hints_learned / nullif(s.hints_known, 0), usual.usual_requests)
          as asked
      from (
        select workspace_id, store, sum(hints_known) as hints_known,
          sum(hints_learned) as hints_learned, sum(due) as due, sum(due_learned) as due_learned,
          sum(due_unknown) as due_unknown, sum(unplanned)::float8 as unplanned,
          sum(unplanned_learned) as unplanned_learned,
          sum(unplanned_unknown)::float8 as unplanned_unknown
        from market_sums group by workspace_id, store
      ) as s join store_task_kinds usual on usual.store = s.store and usual.kind = 'hints'
      cross join lateral (values
        ('hints', due + unplanned / 7, due_learned + unplanned_learned / 7,
          due_unknown + unplanned_unknown / 7),
        ('firstHints', unplanned * 6 / 7, unplanned_learned * 6 / 7,
          unplanned_unknown * 6 / 7)
      ) as kinds(kind, jobs, learned, unknown)
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

/** A clock that was ahead may have opened and ended a later run, which does not count. */
export const lastRunEnd = (today: string) =>
  sql`(select max(finished_at) from runs where date <= ${today}::date)`;

/** The CTE `homes`: the live apps of a workspace in the daily run, in their primary countries. */
export const homesOf = (workspaceId: number) => sql`
  homes as (
    select a.workspace_id, l.store, a.listing_id, a.id as app_id, a.primary_country as country,
      (a.created_at at time zone 'UTC')::date as since
    from apps a join listings l on l.id = a.listing_id
      join workspaces w on w.id = a.workspace_id and w.in_daily_run
    where a.workspace_id = ${workspaceId} and a.archived_at is null
  )`;

/** The rows of one workspace from the CTEs `demand` and `market_sums`. */
export const demandOf = (workspaceId: number) => sql`
  select store, markets, requests, learned, listings, listing_requests as "listingRequests",
    store_tasks as "storeTasks",
    (select coalesce(jsonb_agg(to_jsonb(s) - 'workspace_id' order by s.country, s.device), '[]')
      from market_sums s
      where s.workspace_id = demand.workspace_id and s.store = demand.store) as "marketSums"
  from demand where workspace_id = ${workspaceId} order by rank`;
