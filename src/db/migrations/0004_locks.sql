-- The second lock. A transaction says whose it is with app.workspace; nullif because an unset one reads as ''.

do $$
declare
  tenant text;
begin
  foreach tenant in array array['memberships', 'sessions', 'tokens', 'idempotency', 'apps', 'keywords', 'jobs', 'budgets'] loop
    execute format('alter table %I enable row level security', tenant);
    execute format('alter table %I force row level security', tenant);
    execute format(
      'create policy tenant on %I to toprung_app using (workspace_id = (select nullif(current_setting(''app.workspace'', true), '''')::int))'
      ' with check (workspace_id = nullif(current_setting(''app.workspace'', true), '''')::int)', tenant);
    execute format('create policy everything on %I to toprung_system using (true) with check (true)', tenant);
  end loop;
  execute 'alter table workspaces enable row level security';
  execute 'alter table workspaces force row level security';
  execute 'create policy tenant on workspaces to toprung_app using (id = (select nullif(current_setting(''app.workspace'', true), '''')::int))';
  execute 'create policy everything on workspaces to toprung_system using (true) with check (true)';
end $$;

grant usage on schema public to toprung_app, toprung_system;
grant select, insert, update, delete on all tables in schema public to toprung_system;
grant select, insert, update, delete on memberships, sessions, tokens, idempotency, apps, keywords, jobs, budgets to toprung_app;
grant select, update on workspaces to toprung_app;
grant select on listings, snapshots, listing_days, markets, market_schedule, rank_months, market_months, market_gaps, serps,
  listing_schedule, pacing, store_requests, runs, canaries, rankings to toprung_app;
grant insert, update on listings, snapshots, listing_days, markets, market_schedule, listing_schedule, pacing, store_requests to toprung_app;
grant usage on all sequences in schema public to toprung_app, toprung_system;
