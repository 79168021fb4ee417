-- Urgent work is done round-robin over the workspaces: the first market that one waits for comes
-- before the second of another, however many it requested before. urgent_by is the workspace that
-- waits; of several the one with the earliest round.
alter table market_schedule
  add column urgent_by int, add column urgent_round int not null default 0;
alter table listing_schedule
  add column urgent_by int, add column urgent_round int not null default 0;
alter table store_tasks add column urgent_by int, add column urgent_round int not null default 0;

drop index market_schedule_urgent, listing_schedule_urgent, store_tasks_urgent;
create index market_schedule_urgent on market_schedule (store, urgent_round, urgent_at)
  where urgent_at is not null;
create index listing_schedule_urgent on listing_schedule (store, urgent_round, urgent_at)
  where urgent_at is not null;
create index store_tasks_urgent on store_tasks (store, urgent_round, urgent_at)
  where urgent_at is not null;
create index market_schedule_waiting on market_schedule (store, urgent_by, urgent_round)
  where urgent_at is not null;
create index listing_schedule_waiting on listing_schedule (store, urgent_by, urgent_round)
  where urgent_at is not null;
create index store_tasks_waiting on store_tasks (store, urgent_by, urgent_round)
  where urgent_at is not null;

-- The last round of a workspace in the urgent work of a store: that of its last waiting row, and
-- not before the round that is being served.
create function last_market_round(of_store text, of_workspace int) returns int
language sql stable as $$
  select greatest(0,
    (select max(urgent_round) from market_schedule
      where store = of_store and urgent_by = of_workspace and urgent_at is not null),
    (select min(urgent_round) - 1 from market_schedule
      where store = of_store and urgent_at is not null))
$$;
create function last_listing_round(of_store text, of_workspace int) returns int
language sql stable as $$
  select greatest(0,
    (select max(urgent_round) from listing_schedule
      where store = of_store and urgent_by = of_workspace and urgent_at is not null),
    (select min(urgent_round) - 1 from listing_schedule
      where store = of_store and urgent_at is not null))
$$;
create function last_store_task_round(of_store text, of_workspace int) returns int
language sql stable as $$
  select greatest(0,
    (select max(urgent_round) from store_tasks
      where store = of_store and urgent_by = of_workspace and urgent_at is not null),
    (select min(urgent_round) - 1 from store_tasks
      where store = of_store and urgent_at is not null))
$$;
