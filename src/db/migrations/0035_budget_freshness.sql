-- A workspace's budget is refreshed after each run, workspace by workspace; the oldest come first.
alter table workspaces add column budget_refreshed_at timestamptz not null default '-infinity';
create index workspaces_budget_refreshed on workspaces (budget_refreshed_at);
