-- A job of store work consists of the parts that it requested, and reports on each kind of them. It
-- ends when no part is being worked on. awaited_until: an ended job has parts that are tried again.
alter table jobs add column parts jsonb not null default '[]', add column awaited_until timestamptz;
create index jobs_awaiting on jobs (id) where awaited_until is not null;

-- A job waits for the countries that it requested. Waiting for all countries of its listing, it
-- never ended when a country was tracked later, after the day's run.
update jobs j set payload = payload || jsonb_build_object('countries', (
  select coalesce(jsonb_agg(l.country), '[]') from listing_schedule l
  where l.listing_id = (j.payload->>'listingId')::int and l.active
    and (l.urgent_at is not null or l.completed_on >= (j.payload->>'day')::date)))
where j.payload ? 'listingId';

-- The parts of a job and their outcome on its day. 'awaited': there is no response yet, and the
-- next attempt is known. A failed probe of the store holds up all of them.
create function list_job_parts(payload jsonb, day date, now timestamptz, probe_retry interval)
returns table (kind text, outcome text, reason text, until timestamptz)
language sql stable as $$
  with held_up as (
    select store, coalesce(marker, 'probe') as reason, probed_at + probe_retry as until
    from series_probes where date = (now at time zone 'UTC')::date and state = 'degraded'
  ), part as (
    select 'rank-check' as kind, s.store, s.last_marker,
      case when s.attempts_on >= (now at time zone 'UTC')::date then s.retry_at end as retry_at,
      s.urgent_at is null and s.completed_on >= day as is_completed,
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
