-- Workspaces take turns in urgent work: the first market that one waits for comes before the second
-- of another, however many it requested before. urgent_by is the workspace that waits; of several
-- the one whose turn comes first.
alter table market_schedule add column urgent_by int, add column urgent_turn int not null default 0;
alter table listing_schedule
  add column urgent_by int, add column urgent_turn int not null default 0;
alter table store_tasks add column urgent_by int, add column urgent_turn int not null default 0;

drop index market_schedule_urgent, listing_schedule_urgent, store_tasks_urgent;
create index market_schedule_urgent on market_schedule (store, urgent_turn, urgent_at)
  where urgent_at is not null;
create index listing_schedule_urgent on listing_schedule (store, urgent_turn, urgent_at)
  where urgent_at is not null;
create index store_tasks_urgent on store_tasks (store, urgent_turn, urgent_at)
  where urgent_at is not null;
create index market_schedule_waiting on market_schedule (store, urgent_by, urgent_turn)
  where urgent_at is not null;
create index listing_schedule_waiting on listing_schedule (store, urgent_by, urgent_turn)
  where urgent_at is not null;
create index store_tasks_waiting on store_tasks (store, urgent_by, urgent_turn)
  where urgent_at is not null;

-- The last turn that a workspace has in a store's urgent work: after its own waiting rows, and not
-- before the first turn of others.
create function last_market_turn(of_store text, of_workspace int) returns int
language sql stable as $$
  select greatest(0,
    (select max(urgent_turn) from market_schedule
      where store = of_store and urgent_by = of_workspace and urgent_at is not null),
    (select min(urgent_turn) - 1 from market_schedule
      where store = of_store and urgent_at is not null))
$$;
create function last_listing_turn(of_store text, of_workspace int) returns int
language sql stable as $$
  select greatest(0,
    (select max(urgent_turn) from listing_schedule
      where store = of_store and urgent_by = of_workspace and urgent_at is not null),
    (select min(urgent_turn) - 1 from listing_schedule
      where store = of_store and urgent_at is not null))
$$;
create function last_store_task_turn(of_store text, of_workspace int) returns int
language sql stable as $$
  select greatest(0,
    (select max(urgent_turn) from store_tasks
      where store = of_store and urgent_by = of_workspace and urgent_at is not null),
    (select min(urgent_turn) - 1 from store_tasks where store = of_store and urgent_at is not null))
$$;
