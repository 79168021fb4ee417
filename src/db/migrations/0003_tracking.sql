-- A workspace's own.

create table apps (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  listing_id int not null references listings,
  primary_country text not null check (primary_country ~ '^[a-z]{2}$'),
  display_name text,
  tags text[] not null default '{}',
  note text,
  linked_app_id int references apps on delete set null,
  created_at timestamptz not null,         -- since when this instance follows it: nothing from before is shown
  tracked_since timestamptz,               -- since when its people do, where an import says earlier: told, and opens nothing
  archived_at timestamptz,
  purge_at timestamptz,
  unique (workspace_id, listing_id)
);
create index apps_listing on apps (listing_id);

-- An app followed in a market. `terms` is [[day, depth], ...]: from that day on it is followed to that depth; 0 is paused,
-- -1 over the limit of the plan. It decides which of the shared market's days this workspace may see. The newest cell stands beside it.
create table keywords (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  market_id int not null references markets,
  country text not null,                   -- the market's, which never change: lists of hundreds need not look it up
  phrase text not null,
  depth smallint not null check (depth between 1 and 200),
  paused boolean not null default false,
  held boolean not null default false,     -- not searched, whatever its reader wants: over the plan's limit, or the run skips the workspace
  favorite boolean not null default false,
  tags text[] not null default '{}',
  note text,
  terms jsonb not null,
  created_at timestamptz not null,
  tracked_since timestamptz,               -- as that of apps
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

-- Accepted work: the row exists before the 202 is sent.
create table jobs (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int references apps on delete cascade,
  kind text not null check (kind ~ '^[a-z-]{3,40}$'),
  state text not null default 'queued' check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'shed')),
  dedupe_key text,
  payload jsonb not null default '{}',
  total int not null default 0,
  done int not null default 0,
  attempts smallint not null default 0,
  error text,
  result jsonb,
  queued_until timestamptz,                -- house work only: handed to a worker; comes back when this passes
  queued_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz
);
create index jobs_workspace on jobs (workspace_id, id desc);
create index jobs_open on jobs (id) where state in ('queued', 'running');
create unique index jobs_deduped on jobs (workspace_id, dedupe_key) where dedupe_key is not null and state in ('queued', 'running');

-- What a workspace's day costs, kept up by every change of its keywords, so that reading it is one row a store.
create table budgets (
  workspace_id int not null references workspaces on delete cascade,
  store text not null,
  markets int not null,
  requests real not null,
  learned boolean not null,
  listings int not null,
  listing_requests real not null,
  primary key (workspace_id, store)
);

-- A job that took its worker with it five times, parked for a person to look at.
create table parked_work (
  id bigint generated always as identity primary key,
  queue text not null,
  job_id text not null unique,
  data jsonb not null,
  parked_at timestamptz not null default now()
);
