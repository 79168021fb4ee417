-- How a workspace's markets met a day that is over, by store and country: counted once, when the day can no longer change,
-- so that reading months of runs does not count market-days again.
create table run_counts (
  workspace_id int not null references workspaces on delete cascade,
  date date not null,
  store text not null check (store in ('ios', 'android')),
  country text not null check (country ~ '^[a-z]{2}$'),
  planned int not null,
  done int not null,
  shed int not null,
  store_error int not null,
  over_quota int not null,
  not_yet_run int not null,
  paused int not null,
  primary key (workspace_id, date, store, country)
);
create index run_counts_date on run_counts (date);
select lock_tenant('run_counts');

-- Days that are counted, for all workspaces; a workspace without rows had no markets then.
create table counted_days (date date primary key);
grant select on counted_days to toprung_app;
grant select, insert, delete on counted_days to toprung_system;
