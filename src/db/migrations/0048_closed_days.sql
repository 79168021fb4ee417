-- Closing a day writes gaps and no longer rewrites the schedule of each market without an
-- outcome.
create or replace function list_job_parts(
  payload jsonb, day date, now timestamptz, probe_retry interval
)
returns table (kind text, outcome text, reason text, until timestamptz)
language sql stable as $$
  with held_up as (
    select store, coalesce(marker, 'probe') as reason, probed_at + probe_retry as until
    from series_probes where date = (now at time zone 'UTC')::date and state = 'degraded'
  ), part as (
    select 'rank-check' as kind, s.store, s.last_marker,
      case when s.attempts_on >= (now at time zone 'UTC')::date then s.retry_at end as retry_at,
      -- The closing of a day leaves the row as it is and writes a gap.
      s.urgent_at is null and (s.completed_on >= day
        or g.market_id is not null and day < (now at time zone 'UTC')::date) as is_completed,
      -- A response that came after midnight fills the gap of the day.
      case when s.checked_on is null or s.checked_on < day
        then coalesce(g.marker, g.reason) end as gap
    from jsonb_array_elements_text(coalesce(payload->'marketIds', '[]')) as requested(id)
    join market_schedule s on s.market_id = requested.id::int
    left join market_gaps g on g.market_id = s.market_id and g.on_date = day
    where s.depth > 0
    union all
    select 'app-refresh', l.store, l.last_marker,
      case when l.attempts_on >= (now at time zone 'UTC')::date then l.retry_at end,
      l.completed_on >= day,
      case when l.refreshed_on is null or l.refreshed_on < day
        then nullif(l.last_marker, 'not-offered') end
    from jsonb_array_elements_text(coalesce(payload->'countries', '[]')) as requested(country)
    join listing_schedule l on l.listing_id = (payload->>'listingId')::int
      and l.country = requested.country
    where l.active
    union all
    select c.kind, c.store, c.last_marker,
      case when c.attempts_on >= (now at time zone 'UTC')::date then c.retry_at end,
      -- A task that is no longer urgent is waited for only on a day of its own.
      c.urgent_at is null and (c.completed_on >= day or not is_store_task_day(c, day)),
      case when c.read_on is null or c.read_on < day then coalesce(g.marker, g.reason) end
    from jsonb_array_elements_text(coalesce(payload->'storeTaskIds', '[]')) as requested(id)
    join store_tasks c on c.id = requested.id::int
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

-- Gaps are facts of a day, as market_gaps are. The constraint locked the row of the task for each
-- gap, which rewrote it; no task is ever deleted.
alter table store_task_gaps drop constraint store_task_gaps_store_task_id_fkey;
