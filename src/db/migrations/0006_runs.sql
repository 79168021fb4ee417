-- One daily run per UTC date, however many schedulers there are.
create table runs (
  date date primary key,
  opened_at timestamptz not null,
  finished_at timestamptz,
  state text not null check (state in ('running', 'finished', 'degraded', 'overdue', 'missed')),
  pressure jsonb not null default '{}',
  shed jsonb not null default '{}'
);

-- Known searches that precede a store's work of the day. While they fail, no response is trusted.
create table store_probes (
  store text not null,
  date date not null,
  state text not null check (state in ('ok', 'degraded')),
  probed_at timestamptz not null,
  attempts smallint not null default 1,
  marker text,
  primary key (store, date)
);

-- One row per store and egress endpoint: the next instant at which a request may leave.
create table pacing (
  store text not null references stores,
  endpoint text not null,
  interval_us bigint not null,
  next_at timestamptz not null,
  cooldown_until timestamptz,
  strikes smallint not null default 0,
  slow_factor real not null default 1,
  recovered_at timestamptz,
  granted bigint not null default 0,
  refused bigint not null default 0,
  last_refusal_at timestamptz,
  last_marker text,
  primary key (store, endpoint)
) with (fillfactor = 20);

-- Requests that were really sent to each store, per UTC day.
create table store_requests (
  store text not null,
  on_date date not null,
  kind text not null,
  requests bigint not null default 0,
  bytes bigint not null default 0,
  refused bigint not null default 0,
  primary key (store, on_date, kind)
);

grant select on runs, store_probes to toprung_app;
grant select, insert, update on pacing, store_requests to toprung_app;

-- The outcomes of each workspace's markets on a past day, by store and country. They are counted
-- once, when the day can no longer change, so that reading months of runs does not count every
-- market-day again.
create table run_counts (
  workspace_id int not null references workspaces on delete cascade,
  date date not null,
  store text not null references stores,
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
select enable_tenant_isolation('run_counts');

-- The days that are counted, for all workspaces: one without rows in run_counts had no markets.
create table counted_days (date date primary key);
grant select on counted_days to toprung_app;
