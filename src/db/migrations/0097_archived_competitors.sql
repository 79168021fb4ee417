-- When a competitor was archived before it was added again, as in apps:
-- [[archived at, restored at], ...], oldest first. followed_at stays that of the first time, so
-- that its history stays visible.
alter table competitors add column archived_spans jsonb not null default '[]';

-- The view of 0085, without what others had read while the competitor was archived.
-- Compatible with 0.4.0: nothing of it reads the view.
create or replace view reader.competitors with (security_barrier) as
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
cross join lateral (
  select app_spans(a.created_at, a.archived_at, a.archived_spans)
    * app_spans(c.followed_at, c.archived_at, c.archived_spans) as spans offset 0
) followed
left join lateral (
  select rating, rating_count, installs, read_at from listing_days
  where listing_id = c.listing_id and country = a.primary_country and followed.spans @> read_at
  order by on_date desc limit 1
) d on true
left join lateral (
  select fields - array['summary', 'description', 'releaseNotes', 'screenshotUrls', 'languages']
    as facts
  from snapshots where listing_id = c.listing_id and country = a.primary_country
    and taken_at < (
      select upper(span) from unnest(followed.spans) as span where span @> d.read_at)
  order by id desc limit 1
) s on true
where c.workspace_id = (select reader.workspace_id()) and c.archived_at is null
  and (a.purge_at is null or a.purge_at > now());
