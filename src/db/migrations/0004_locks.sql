-- The second lock. A transaction says whose it is with app.workspace; nullif because an unset one reads as ''.

create function lock_tenant(tenant text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', tenant);
  execute format('alter table %I force row level security', tenant);
  execute format(
    'create policy tenant on %I to toprung_app using (workspace_id = (select nullif(current_setting(''app.workspace'', true), '''')::int))'
    ' with check (workspace_id = nullif(current_setting(''app.workspace'', true), '''')::int)', tenant);
  execute format('create policy everything on %I to toprung_system using (true) with check (true)', tenant);
  execute format('grant select, insert, update, delete on %I to toprung_app, toprung_system', tenant);
end $$;

select lock_tenant(tenant) from unnest(array['memberships', 'sessions', 'tokens', 'idempotency', 'apps', 'keywords', 'jobs', 'budgets']) as tenant;

do $$
begin
  execute 'alter table workspaces enable row level security';
  execute 'alter table workspaces force row level security';
  execute 'create policy tenant on workspaces to toprung_app using (id = (select nullif(current_setting(''app.workspace'', true), '''')::int))';
  execute 'create policy everything on workspaces to toprung_system using (true) with check (true)';
end $$;

grant usage on schema public to toprung_app, toprung_system;
grant select, insert, update, delete on all tables in schema public to toprung_system;
grant select, update on workspaces to toprung_app;
grant select on listings, snapshots, listing_days, markets, market_schedule, rank_months, market_months, market_gaps, serps,
  listing_schedule, pacing, store_requests, runs, canaries, rankings to toprung_app;
grant insert, update on listings, snapshots, listing_days, markets, market_schedule, listing_schedule, pacing, store_requests to toprung_app;
grant usage on all sequences in schema public to toprung_app, toprung_system;
-- Tables of later migrations: the run may do everything with shared facts; what requests may do is granted table by table.
alter default privileges in schema public grant select, insert, update, delete on tables to toprung_system;
alter default privileges in schema public grant usage on sequences to toprung_app, toprung_system;
