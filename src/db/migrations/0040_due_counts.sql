-- No step of a day's run reads what is done: due work is found by an index, and counted as rows
-- change. due_from is the first day on which a row is due; without an outcome it is due at once.
alter table market_schedule add column due_from date not null
  generated always as (coalesce(completed_on + 1, date '2000-01-01')) stored;
alter table listing_schedule add column due_from date not null
  generated always as (coalesce(completed_on + 1, date '2000-01-01')) stored;

-- A task that is not daily is due on due_from, and again after due_every days: the days that
-- is_store_task_day allows.
create function next_store_task_day(
  id int, interval_days smallint, read_on date, completed_on date, is_daily boolean
) returns date language sql immutable as $$
  select case when is_daily then coalesce(completed_on + 1, date '2000-01-01')
    else earliest + ((id - (earliest - date '2000-01-01')) % interval_days + interval_days)
      % interval_days end
  from (select greatest(completed_on + 1, read_on + interval_days / 2 + 1, date '2000-01-01')
    as earliest) as bound
$$;
alter table store_tasks
  add column due_every smallint not null generated always as (
    case when read_on is null and last_marker is distinct from 'shed' then 1
      else interval_days end) stored,
  add column due_from date not null generated always as (
    next_store_task_day(id, interval_days, read_on, completed_on, interval_days = 1
      or read_on is null and last_marker is distinct from 'shed')) stored;

drop index market_schedule_due, listing_schedule_due, store_tasks_due;
create index market_schedule_due
  on market_schedule (store, due_from, checked_on nulls first, round_robin_order, market_id)
  where depth > 0;
create index listing_schedule_due
  on listing_schedule (store, due_from, country, refreshed_on nulls first, listing_id)
  where active;
create index store_tasks_due
  on store_tasks (store, kind, due_from, read_on nulls first, id) where active;

-- The work of each kind by the day from which on it is due. Rows are only added, so that writers do
-- not wait for each other; a periodic task merges them. The sum over the rows of a key counts.
create table due_counts (
  kind text not null,                      -- as in src/jobs/registry.ts
  store text not null,
  country text,                            -- of listings, which are read together
  due_from date not null,
  due_every smallint not null default 1,
  is_checked boolean,                      -- markets: the last day has a result
  -- Of tasks whose cost is not known yet the depth of the market, 0 for others.
  unknown_depth smallint,
  tasks int not null,
  requests float8 not null                 -- of the tasks whose cost is known
);
grant select, insert on due_counts to toprung_app;

-- The argument is 1 for rows that are there now, -1 for those that were there before.
create function count_due_markets() returns trigger language plpgsql as $$
begin
  insert into due_counts (kind, store, due_from, is_checked, unknown_depth, tasks, requests)
  select 'rank-check', store, due_from, coalesce(checked_on >= completed_on, false),
    case when usual_requests is null then depth end, tg_argv[0]::int * count(*),
    tg_argv[0]::int * coalesce(sum(usual_requests::float8), 0)
  from changed where depth > 0 group by 1, 2, 3, 4, 5;
  return null;
end $$;
create function count_due_listings() returns trigger language plpgsql as $$
begin
  insert into due_counts (kind, store, country, due_from, tasks, requests)
  select 'app-refresh', store, country, due_from, tg_argv[0]::int * count(*), 0
  from changed where active group by 1, 2, 3, 4;
  return null;
end $$;
create function count_due_store_tasks() returns trigger language plpgsql as $$
begin
  insert into due_counts (kind, store, due_from, due_every, unknown_depth, tasks, requests)
  select kind, store, due_from, due_every, case when usual_requests is null then 0 end,
    tg_argv[0]::int * count(*), tg_argv[0]::int * coalesce(sum(usual_requests::float8), 0)
  from changed where active group by 1, 2, 3, 4, 5;
  return null;
end $$;

do $$
declare
  counted record;
  rows record;
begin
  for counted in values ('market_schedule', 'count_due_markets'),
    ('listing_schedule', 'count_due_listings'), ('store_tasks', 'count_due_store_tasks')
  loop
    for rows in values ('count_inserted', 'insert', 'new', 1),
      ('count_deleted', 'delete', 'old', -1),
      ('count_replaced', 'update', 'old', -1), ('count_updated', 'update', 'new', 1)
    loop
      execute format('create trigger %I after %s on %I referencing %s table as changed'
        ' for each statement execute function %I(%L)',
        rows.column1, rows.column2, counted.column1, rows.column3, counted.column2, rows.column4);
    end loop;
  end loop;
end $$;

insert into due_counts (kind, store, due_from, is_checked, unknown_depth, tasks, requests)
select 'rank-check', store, due_from, coalesce(checked_on >= completed_on, false),
  case when usual_requests is null then depth end, count(*),
  coalesce(sum(usual_requests::float8), 0)
from market_schedule where depth > 0 group by 1, 2, 3, 4, 5;
insert into due_counts (kind, store, country, due_from, tasks, requests)
select 'app-refresh', store, country, due_from, count(*), 0
from listing_schedule where active group by 1, 2, 3, 4;
insert into due_counts (kind, store, due_from, due_every, unknown_depth, tasks, requests)
select kind, store, due_from, due_every, case when usual_requests is null then 0 end, count(*),
  coalesce(sum(usual_requests::float8), 0)
from store_tasks where active group by 1, 2, 3, 4, 5;

-- The work without an outcome that the closing of the day has found so far: {"markets": 12,
-- "storeTasks": 3, "requests": {"ios": 12.5}}; the requests are those of checks that were not run.
alter table runs add column left_over jsonb not null default '{}';
