-- Which facts become alerts, one document per workspace. Without a row the defaults hold.
create table alert_rules (
  workspace_id int primary key references workspaces on delete cascade,
  rules jsonb not null,
  saved_at timestamptz not null
);
select enable_tenant_isolation('alert_rules');

-- The reading up to which a storefront's reviews were evaluated for alerts of a workspace's app.
create table evaluated_feeds (
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  country text not null,
  evaluated_until timestamptz not null,
  primary key (app_id, country)
);
select enable_tenant_isolation('evaluated_feeds');

-- Events as webhooks, feeds and GET /events report them: written in the transaction of the change,
-- or derived from stored facts by a periodic task. The key makes deriving one twice harmless.
-- sequence counts up by one within a workspace.
create table events (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  sequence bigint not null,
  type text not null check (type ~ '^[a-z]+[.][a-z]+$'),
  key text not null,
  app_id int references apps on delete set null,
  occurred_at timestamptz not null,
  body text not null, -- the object as JSON, byte for byte as it is delivered
  unique (workspace_id, sequence),
  unique (workspace_id, key)
);
create index events_app on events (workspace_id, app_id, sequence desc);
select enable_tenant_isolation('events');

-- The last sequence of a workspace. Taking the next one locks the row, so that readers see numbers
-- in order and without gaps.
create table event_counters (
  workspace_id int primary key references workspaces on delete cascade,
  sequence bigint not null
);
select enable_tenant_isolation('event_counters');

-- The ISO week of the last digest sent to a workspace.
create table sent_digests (
  workspace_id int primary key references workspaces on delete cascade,
  week date not null
);
select enable_tenant_isolation('sent_digests');
