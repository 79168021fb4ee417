-- An app tracked in a market. tracking_periods is [[day, depth], ...]: from that day on it is
-- tracked to that depth; 0 is paused, -1 over the limit of the plan. They decide which of the
-- market's days this workspace may see. The newest daily rank is copied here, so that a list of
-- keywords reads no history.
create table keywords (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  market_id int not null references markets,
  -- Copies of the market's values, which never change, so that a list of hundreds of keywords reads
  -- no markets.
  country text not null,
  phrase text not null,
  depth smallint not null check (depth between 1 and 200),
  paused boolean not null default false,
  -- Not searched although its owner requests it: it is over the plan's limit, or the run skips the
  -- workspace.
  held boolean not null default false,
  favorite boolean not null default false,
  tags text[] not null default '{}',
  note text,
  tracking_periods jsonb not null,
  created_at timestamptz not null,
  tracked_since timestamptz,               -- as in apps
  archived_at timestamptz,
  purge_at timestamptz,
  latest_on date,
  latest_position smallint check (latest_position between 1 and 200),
  latest_depth smallint check (latest_depth between 1 and 200),
  latest_at timestamptz,
  best_position smallint check (best_position between 1 and 200),
  best_on date,
  check ((latest_on is null) = (latest_depth is null)),
  unique (app_id, market_id)
) with (fillfactor = 70);
create index keywords_market on keywords (market_id) where archived_at is null;
create index keywords_workspace on keywords (workspace_id, id);
create index keywords_held on keywords (workspace_id) where held;
select enable_tenant_isolation('keywords');

-- Positions that this instance did not see itself: from an export of another instance or from
-- another tool, private to the workspace, shown on days without a daily rank of this instance. The
-- positions are those of listing_id, the keyword's app at the time.
create table imported_daily_ranks (
  workspace_id int not null references workspaces on delete cascade,
  keyword_id int not null references keywords on delete cascade,
  listing_id int not null references listings,
  on_date date not null,
  position smallint check (position between 1 and 200),
  depth smallint not null check (depth between 1 and 200),
  checked_at timestamptz,                  -- null: the source does not say
  primary key (keyword_id, on_date),
  check (position <= depth)
);
create index imported_daily_ranks_workspace on imported_daily_ranks (workspace_id);
select enable_tenant_isolation('imported_daily_ranks');

-- A large import analyzes these at once: waiting for autovacuum would leave bad plans.
grant maintain on apps, keywords, competitors to toprung_system;
