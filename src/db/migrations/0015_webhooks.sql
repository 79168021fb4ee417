create table webhooks (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  url text not null,
  kind text not null check (kind in ('standard', 'slack', 'discord', 'telegram', 'ntfy')),
  events text[] not null,
  description text,
  enabled boolean not null default true,
  secret bytea not null,                   -- sealed with a key that is not in the database
  previous_secret bytea,
  previous_until timestamptz,
  state text not null default 'healthy' check (state in ('healthy', 'failing', 'disabled')),
  failing_since timestamptz,
  from_sequence bigint not null default 0, -- events before this are not told
  created_at timestamptz not null
);
create index webhooks_workspace on webhooks (workspace_id, id);
select lock_tenant('webhooks');

create table deliveries (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  webhook_id int not null references webhooks on delete cascade,
  event_id bigint references events on delete cascade,
  message_id text not null,                -- webhook-id: the same for every attempt
  type text not null,
  state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed', 'abandoned')),
  body text not null,                      -- byte for byte what is sent and signed
  attempts smallint not null default 0,
  next_at timestamptz,
  queued_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (webhook_id, event_id)
);
create index deliveries_due on deliveries (next_at) where state = 'pending';
create index deliveries_list on deliveries (workspace_id, webhook_id, id desc);
select lock_tenant('deliveries');

create table delivery_attempts (
  workspace_id int not null references workspaces on delete cascade,
  delivery_id bigint not null references deliveries on delete cascade,
  number smallint not null,
  at timestamptz not null,
  status int,
  latency_ms int,
  error text,
  response_head text,
  primary key (delivery_id, number)
);
select lock_tenant('delivery_attempts');
