-- The workspaces whose outcomes of a past day are to be counted. A day in counted_days is counted
-- for all others.
create table days_to_count (
  workspace_id int not null references workspaces on delete cascade,
  date date not null,
  primary key (date, workspace_id)
);
create index days_to_count_workspace on days_to_count (workspace_id);
select enable_tenant_isolation('days_to_count');

-- The cost of a workspace's day at all stores, for finding the largest ones.
alter table workspaces add column requests_per_day float8 not null default 0;
create index workspaces_largest on workspaces (requests_per_day desc, id) where in_daily_run;

-- The budgets of all workspaces in the daily run by kind of work, counted like due_counts. Besides
-- the kinds of src/jobs/registry.ts there are the number of workspaces and of learned budgets.
create table budget_counts (
  store text,                              -- null: workspaces
  kind text not null,
  jobs float8 not null,
  requests float8 not null
);
grant select, insert on budget_counts to toprung_app;

create function list_budget_kinds(budget budgets)
returns table (kind text, jobs float8, requests float8) language sql immutable as $$
  select 'rank-check', budget.markets, budget.requests::float8
  union all select 'app-refresh', budget.listings, budget.listing_requests::float8
  union all select 'learned', budget.learned::int, 0
  union all select key, (value->>0)::float8, (value->>1)::float8
    from jsonb_each(budget.store_tasks)
$$;

-- The argument is 1 for rows that are there now, -1 for those that were there before.
create function count_budgets() returns trigger language plpgsql as $$
declare
  budget budgets;
begin
  for budget in select c.* from changed c join workspaces w on w.id = c.workspace_id
    where w.in_daily_run
  loop
    insert into budget_counts (store, kind, jobs, requests)
    select budget.store, kind, tg_argv[0]::int * jobs, tg_argv[0]::int * requests
    from list_budget_kinds(budget);
  end loop;
  if tg_argv[0] = '1' then
    update workspaces w set requests_per_day = day.requests
    from (
      select b.workspace_id, sum(k.requests) as requests
      from budgets b cross join lateral list_budget_kinds(b) k
      where b.workspace_id in (select workspace_id from changed) group by b.workspace_id
    ) as day
    where w.id = day.workspace_id and w.requests_per_day <> day.requests;
  end if;
  return null;
end $$;
create trigger count_inserted after insert on budgets referencing new table as changed
for each statement execute function count_budgets('1');
create trigger count_deleted after delete on budgets referencing old table as changed
for each statement execute function count_budgets('-1');
create trigger count_replaced after update on budgets referencing old table as changed
for each statement execute function count_budgets('-1');
create trigger count_updated after update on budgets referencing new table as changed
for each statement execute function count_budgets('1');

-- A workspace that leaves the run or is deleted takes its budgets along.
create function count_workspace() returns trigger language plpgsql as $$
declare
  workspace workspaces := case when tg_op = 'DELETE' then old else new end;
  sign int := case when tg_op = 'DELETE' or not workspace.in_daily_run then -1 else 1 end;
begin
  insert into budget_counts (store, kind, jobs, requests)
  select null, 'workspaces', sign, 0
  union all
  select b.store, k.kind, sign * k.jobs, sign * k.requests
  from budgets b cross join lateral list_budget_kinds(b) k where b.workspace_id = workspace.id;
  return workspace;
end $$;
create trigger count_inserted after insert on workspaces for each row
when (new.in_daily_run) execute function count_workspace();
create trigger count_updated after update on workspaces for each row
when (old.in_daily_run <> new.in_daily_run) execute function count_workspace();
create trigger count_deleted before delete on workspaces for each row
when (old.in_daily_run) execute function count_workspace();

-- The owner of the tables is bound by row-level security, too.
alter table workspaces no force row level security;
alter table budgets no force row level security;
insert into budget_counts (store, kind, jobs, requests)
select null, 'workspaces', count(*), 0 from workspaces where in_daily_run
union all
select b.store, k.kind, sum(k.jobs), sum(k.requests)
from budgets b join workspaces w on w.id = b.workspace_id and w.in_daily_run
cross join lateral list_budget_kinds(b) k group by 1, 2;
update workspaces w set requests_per_day = day.requests
from (
  select b.workspace_id, sum(k.requests) as requests
  from budgets b cross join lateral list_budget_kinds(b) k group by b.workspace_id
) as day where w.id = day.workspace_id;
alter table workspaces force row level security;
alter table budgets force row level security;
