-- reader.positions showed the name that an archived app has now, once another workspace had its
-- listing read. It is the one of reader.apps: that of the newest reading while the app was tracked.
-- reader.gaps reads it from there.
-- Compatible with 0.4.0: nothing of it reads the view.
create or replace view reader.positions with (security_barrier) as
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
  case when b.depth is not null then least(b.depth, day.depth) end::smallint as fallback_depth,
  reader.own_instant(k.tracking_periods, b.checked_at) as fallback_checked_at
from keywords k
join (
  select a.id, a.listing_id, l.store, coalesce(a.display_name, s.name,
    case when l.named_in = a.primary_country then l.name else coalesce((
      select n.name from listing_names n
      where n.listing_id = l.id and n.country = a.primary_country),
      case when l.named_in is null then l.name end) end, l.store_app_id) as name
  from apps a
  join listings l on l.id = a.listing_id
  cross join lateral (
    select app_spans(a.created_at, a.archived_at, a.archived_spans) as spans offset 0
  ) followed
  left join lateral (
    select own_reading(followed.spans, on_date, listing_days.read_at) as read_at
    from listing_days
    where listing_id = a.listing_id and country = a.primary_country
      and own_reading(followed.spans, on_date, listing_days.read_at) is not null
    order by on_date desc limit 1
  ) d on true
  left join lateral (
    select fields->>'name' as name
    from snapshots
    where listing_id = a.listing_id and country = a.primary_country and taken_at < coalesce(
      (select upper(span) from unnest(followed.spans) as span where span @> d.read_at),
      upper(followed.spans))
    order by id desc limit 1
  ) s on true
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
