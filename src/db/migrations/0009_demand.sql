-- The daily cost of a workspace, updated with every change of its keywords, so that reading it
-- takes one row per store.
create table budgets (
  workspace_id int not null references workspaces on delete cascade,
  store text not null,
  markets int not null,
  requests real not null,
  learned boolean not null,
  listings int not null,
  listing_requests real not null,
  store_tasks jsonb not null default '{}', -- {"reviews": [tasks, requests], ...}
  primary key (workspace_id, store)
);
select enable_tenant_isolation('budgets');

-- The demand of all workspaces together on the shared schedules. Both functions run as
-- toprung_system whoever calls them: they sum over workspaces that the caller may not see, and
-- return nothing of it.

create function refresh_market_demand(market_ids int[]) returns void
language sql security definer set search_path = public as $$
  update market_schedule s
  set depth = requested.depth,
    urgent_at = case when requested.depth = 0 then null else s.urgent_at end
  from (
    select market.id,
      coalesce(max(k.depth) filter (where a.archived_at is null and w.in_daily_run), 0) as depth
    from unnest(market_ids) as market(id)
    left join keywords k
      on k.market_id = market.id and k.archived_at is null and not k.paused and not k.held
    left join apps a on a.id = k.app_id
    left join workspaces w on w.id = k.workspace_id
    group by market.id
  ) requested
  where s.market_id = requested.id
    and (s.depth <> requested.depth or (requested.depth = 0 and s.urgent_at is not null));
$$;

-- A listing is refreshed in its app's primary country and in every country with keywords; a
-- competitor's listing where the app's is.
create function refresh_listing_demand(listing_ids int[]) returns void
language sql security definer set search_path = public as $$
  with followed as (
    select a.listing_id, a.id as app_id from apps a where a.listing_id = any(listing_ids)
    union
    select c.listing_id, c.app_id from competitors c
    where c.listing_id = any(listing_ids) and c.archived_at is null
  ), homes as (
    select f.listing_id, a.id as app_id, a.primary_country
    from followed f join apps a on a.id = f.app_id join workspaces w on w.id = a.workspace_id
    where a.archived_at is null and w.in_daily_run
  ), countries as (
    -- By app, so that an app's keywords are not read again for each of its competitors.
    select app_id, primary_country as country from homes
    union
    select h.app_id, k.country
    from (select distinct app_id from homes) h
    join keywords k on k.app_id = h.app_id and k.archived_at is null and not k.paused and not k.held
  ), requested as (
    select distinct h.listing_id, c.country from homes h join countries c on c.app_id = h.app_id
  ), retired as (
    update listing_schedule s set active = false
    where s.listing_id = any(listing_ids) and s.active
      and not exists (
        select from requested r where r.listing_id = s.listing_id and r.country = s.country
      )
  )
  insert into listing_schedule (listing_id, country, store)
  select r.listing_id, r.country, l.store from requested r join listings l on l.id = r.listing_id
  on conflict (listing_id, country) do update set active = true where not listing_schedule.active;
$$;

do $$
begin
  execute 'grant create on schema public to toprung_system';
  execute 'alter function refresh_market_demand(int[]) owner to toprung_system';
  execute 'alter function refresh_listing_demand(int[]) owner to toprung_system';
  execute 'revoke create on schema public from toprung_system';
end $$;
