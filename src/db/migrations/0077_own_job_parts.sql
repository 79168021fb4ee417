-- A job reports only on parts that its own app still requests. Demand on the shared schedules is
-- that of all workspaces, so the parts of a job whose keyword was deleted, or whose app was
-- archived, showed whether another workspace tracks the same.
create function list_requested_parts(workspace int, app int, payload jsonb)
returns table (market_id int, country text, store_task_id int)
language sql stable as $$
  with own as (
    select a.id, a.listing_id, a.primary_country
    from apps a join workspaces w on w.id = a.workspace_id
    where a.workspace_id = workspace and a.id = app and a.archived_at is null and w.in_daily_run
  )
  select k.market_id, null, null::int
  from own cross join jsonb_array_elements_text(coalesce(payload->'marketIds', '[]')) as part(id)
  join keywords k on k.app_id = own.id and k.market_id = part.id::int
    and k.archived_at is null and not k.paused and not k.held
  union all
  select null, part.country, null
  from own
  cross join jsonb_array_elements_text(coalesce(payload->'countries', '[]')) as part(country)
  where (own.listing_id = (payload->>'listingId')::int
      or exists (select from competitors c
        where c.app_id = own.id and c.listing_id = (payload->>'listingId')::int
          and c.archived_at is null))
    and (part.country = own.primary_country
      or exists (select from keywords k
        where k.app_id = own.id and k.country = part.country
          and k.archived_at is null and not k.paused and not k.held))
  union all
  select null, null, t.id
  from own
  cross join jsonb_array_elements_text(coalesce(payload->'storeTaskIds', '[]')) as part(id)
  join store_tasks t on t.id = part.id::int
  where case when t.market_id is null
    then exists (select from store_task_demand d
        where d.store_task_id = t.id and d.listing_id = own.listing_id)
      and (t.country = own.primary_country
        or exists (select from keywords k
          where k.app_id = own.id and k.country = t.country
            and k.archived_at is null and not k.paused and not k.held))
    else exists (select from keywords k
      where k.app_id = own.id and k.market_id = t.market_id
        and k.archived_at is null and not k.paused and not k.held) end
$$;

-- The function without a workspace stays until no process of 0.4.0 calls it.
create function list_job_parts(
  workspace int, app int, payload jsonb, day date, now timestamptz, probe_retry interval
)
returns table (kind text, outcome text, reason text, until timestamptz)
language sql stable as $$
  with held_up as (
    select store, coalesce(marker, 'probe') as reason, probed_at + probe_retry as until
    from series_probes where date = (now at time zone 'UTC')::date and state = 'degraded'
  ), requested as materialized (
    select * from list_requested_parts(workspace, app, payload)
  ), part as (
    select 'rank-check' as kind, s.store, s.last_marker,
      case when s.attempts_on >= (now at time zone 'UTC')::date then s.retry_at end as retry_at,
      -- The closing of a day leaves the row as it is and writes a gap.
      s.urgent_at is null and (s.completed_on >= day
        or g.market_id is not null and day < (now at time zone 'UTC')::date) as is_completed,
      -- A response that came after midnight fills the gap of the day.
      case when s.checked_on is null or s.checked_on < day
        then coalesce(g.marker, g.reason) end as gap
    from requested r
    join market_schedule s on s.market_id = r.market_id
    left join market_gaps g on g.market_id = s.market_id and g.on_date = day
    where s.depth > 0
    union all
    select 'app-refresh', l.store, l.last_marker,
      case when l.attempts_on >= (now at time zone 'UTC')::date then l.retry_at end,
      l.completed_on >= day,
      case when l.refreshed_on is null or l.refreshed_on < day
        then nullif(l.last_marker, 'not-offered') end
    from requested r
    join listing_schedule l on l.listing_id = (payload->>'listingId')::int
      and l.country = r.country
    where l.active
    union all
    select c.kind, c.store, c.last_marker,
      case when c.attempts_on >= (now at time zone 'UTC')::date then c.retry_at end,
      -- A task that is no longer urgent is waited for only on a day of its own.
      c.urgent_at is null and (c.completed_on >= day or not is_store_task_day(c, day)),
      case when c.read_on is null or c.read_on < day then coalesce(g.marker, g.reason) end
    from requested r
    join store_tasks c on c.id = r.store_task_id
    left join store_task_gaps g on g.store_task_id = c.id and g.on_date = day
    where c.active
  )
  select p.kind, o.outcome,
    case o.outcome when 'missing' then p.gap
      when 'awaited' then case when p.retry_at > now then p.last_marker else h.reason end end,
    case when o.outcome = 'awaited'
      then case when p.retry_at > now then p.retry_at else h.until end end
  from part p left join held_up h on h.store = p.store
  cross join lateral (select case
    when coalesce(p.is_completed, false) then case when p.gap is null then 'done' else 'missing' end
    when p.retry_at > now or h.store is not null then 'awaited' else 'pending' end) as o(outcome)
$$;
