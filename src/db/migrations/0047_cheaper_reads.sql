-- The sums over the workspace's markets that its budget was computed from
-- (src/db/queries/budget/budget-demand.ts), so that the price of an addition does not read all of
-- them. Null until the budget is computed the next time.
alter table budgets add column market_sums jsonb;

-- The countries of an app and the first keyword in each, one probe a country.
create index keywords_visited on keywords (app_id, country, created_at)
  where archived_at is null and not paused and not held;

-- The number of live keywords of a workspace, without reading their rows. Its few distinct values
-- take six bytes a keyword.
create index keywords_live on keywords (workspace_id, app_id, country, device)
  where archived_at is null;
