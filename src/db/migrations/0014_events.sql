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

-- Which facts become alerts, one document a workspace; without a row the defaults hold.
create table alert_rules (
  workspace_id int primary key references workspaces on delete cascade,
  rules jsonb not null,
  saved_at timestamptz not null
);
select lock_tenant('alert_rules');

-- Market-days that were checked and not judged for alerts yet; written with the check, gone with the events it led to.
create table unjudged_checks (
  market_id int not null references markets,
  on_date date not null,
  primary key (on_date, market_id)
);

-- A change becomes an event, or is passed over, once.
alter table changes add column judged boolean not null default false;
create index changes_unjudged on changes (id) where not judged;

-- The reading up to which a storefront's reviews were judged for a workspace's app.
create table judged_feeds (
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  country text not null,
  judged_to timestamptz not null,
  primary key (app_id, country)
);
select lock_tenant('judged_feeds');

-- The ISO week whose digest a workspace was told last.
create table told_digests (
  workspace_id int primary key references workspaces on delete cascade,
  week date not null
);
select lock_tenant('told_digests');
