-- What happened, as webhooks, feeds and GET /events tell it: written in the transaction of the change, or derived from
-- stored facts by a sweep; `key` makes deriving it twice deriving it once. `sequence` counts up by one in a workspace.
create table events (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  sequence bigint not null,
  type text not null check (type in ('rank.dropped', 'rank.improved', 'serp.entrant', 'metadata.changed', 'review.negative', 'action.opened', 'digest.weekly')),
  key text not null,
  app_id int references apps on delete set null,
  occurred_at timestamptz not null,
  body text not null, -- the object as JSON, byte for byte as it is delivered
  unique (workspace_id, sequence),
  unique (workspace_id, key)
);
create index events_app on events (workspace_id, app_id, sequence desc);
select lock_tenant('events');

-- The last sequence of a workspace; taking the next locks the row, so that numbers are seen in order and without gaps.
create table event_counters (
  workspace_id int primary key references workspaces on delete cascade,
  sequence bigint not null
);
select lock_tenant('event_counters');

create table alert_rules (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  event text not null,
  enabled boolean not null,
  settings jsonb not null
);
select lock_tenant('alert_rules');

-- How far the sweeps that turn facts into events have come.
create table event_cursors (
  name text primary key,
  position jsonb not null
);
