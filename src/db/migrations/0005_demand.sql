-- What all workspaces together ask of the shared schedules. These two run as toprung_system whoever calls them:
-- demand is summed over workspaces that the caller may not see, and nothing of it is returned.

create function refresh_market_demand(market_ids int[]) returns void
language sql security definer set search_path = public as $$
  update market_schedule s
  set depth = wanted.depth, urgent_at = case when wanted.depth = 0 then null else s.urgent_at end
  from (
    select asked.id, coalesce(max(k.depth) filter (where a.archived_at is null and w.visited), 0) as depth
    from unnest(market_ids) as asked(id)
    left join keywords k on k.market_id = asked.id and k.archived_at is null and not k.paused and not k.held
    left join apps a on a.id = k.app_id
    left join workspaces w on w.id = k.workspace_id
    group by asked.id
  ) wanted
  where s.market_id = wanted.id and (s.depth <> wanted.depth or (wanted.depth = 0 and s.urgent_at is not null));
$$;

-- Names a table of a later migration.
set local check_function_bodies = off;

-- A listing is read in its app's primary country and in every country with keywords; a competitor's listing where the app's is.
create function refresh_listing_demand(listing_ids int[]) returns void
language sql security definer set search_path = public as $$
  with followed as (
    select a.listing_id, a.id as app_id from apps a where a.listing_id = any(listing_ids)
    union
    select c.listing_id, c.app_id from competitors c where c.listing_id = any(listing_ids) and c.archived_at is null
  ), homes as (
    select f.listing_id, a.id as app_id, a.primary_country
    from followed f join apps a on a.id = f.app_id join workspaces w on w.id = a.workspace_id
    where a.archived_at is null and w.visited
  ), countries as (
    -- Once an app: for each of its competitors, its keywords would be read again.
    select app_id, primary_country as country from homes
    union
    select h.app_id, k.country
    from (select distinct app_id from homes) h join keywords k on k.app_id = h.app_id and k.archived_at is null and not k.paused and not k.held
  ), wanted as (
    select distinct h.listing_id, c.country from homes h join countries c on c.app_id = h.app_id
  ), retired as (
    update listing_schedule s set active = false
    where s.listing_id = any(listing_ids) and s.active
      and not exists (select from wanted where wanted.listing_id = s.listing_id and wanted.country = s.country)
  )
  insert into listing_schedule (listing_id, country, store)
  select wanted.listing_id, wanted.country, l.store from wanted join listings l on l.id = wanted.listing_id
  on conflict (listing_id, country) do update set active = true where not listing_schedule.active;
$$;

do $$
begin
  execute 'grant create on schema public to toprung_system';
  execute 'alter function refresh_market_demand(int[]) owner to toprung_system';
  execute 'alter function refresh_listing_demand(int[]) owner to toprung_system';
  execute 'revoke create on schema public from toprung_system';
end $$;
