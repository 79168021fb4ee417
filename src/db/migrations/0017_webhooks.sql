create table webhooks (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  url text not null,
  kind text not null check (kind in ('standard', 'slack', 'discord', 'telegram', 'ntfy')),
  events text[] not null,
  description text,
  enabled boolean not null default true,
  disabled_by text check (disabled_by in ('user', 'gone', 'failing')),
  secret bytea not null,                       -- encrypted; the key is not in the database
  secret_strength text not null check (secret_strength in ('strong', 'weak')),
  -- [{"encrypted": base64, "until": instant}]: earlier secrets that also sign until then.
  old_secrets jsonb not null default '[]',
  failing_since timestamptz,                   -- the first failure after the last success
  failures int not null default 0,             -- failed attempts since then
  created_at timestamptz not null,
  check (enabled = (disabled_by is null))
);
create index webhooks_workspace on webhooks (workspace_id, id);
select enable_tenant_isolation('webhooks');

-- One event for one webhook; a test has no event. The bytes that are signed and sent are body, or
-- the event's own when body is null.
create table deliveries (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  webhook_id int not null references webhooks on delete cascade,
  event_id bigint references events on delete cascade,
  message_id text not null,                    -- webhook-id: the same for every attempt
  type text not null,
  state text not null default 'pending'
    check (state in ('pending', 'succeeded', 'failed', 'abandoned')),
  body text,
  -- Chats: sent within the message of this delivery, and completed with it.
  part_of bigint references deliveries on delete set null,
  attempts smallint not null default 0,        -- in total; numbers the rows of delivery_attempts
  tries smallint not null default 0,           -- of the retry schedule; a redelivery restarts it
  next_at timestamptz,
  queued_until timestamptz,
  redelivered_by bigint,                       -- the last job that did so: its repeats do nothing
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (webhook_id, event_id)
);
create index deliveries_due on deliveries (webhook_id, next_at)
  where state = 'pending' and next_at is not null;
create index deliveries_list on deliveries (workspace_id, webhook_id, id desc);
create index deliveries_part on deliveries (part_of) where part_of is not null;
create index deliveries_queued on deliveries (webhook_id, queued_until)
  where queued_until is not null;
create index deliveries_finished on deliveries (finished_at) where finished_at is not null;
create index deliveries_event on deliveries (event_id);
select enable_tenant_isolation('deliveries');

create table delivery_attempts (
  workspace_id int not null references workspaces on delete cascade,
  delivery_id bigint not null references deliveries on delete cascade,
  number smallint not null,
  at timestamptz not null,
  status int,                                  -- null: no response, see error
  latency_ms int not null,
  error text,
  next_at timestamptz,                         -- the retry that was planned after it
  request_headers jsonb not null,
  response_headers jsonb,
  response_head text,
  primary key (delivery_id, number)
);
select enable_tenant_isolation('delivery_attempts');
