-- Plans of metered instances: what was asked lately, and what the payment provider told.

-- Requests of a workspace in a window that is open: by minute, UTC hour and UTC day. Lost in a crash, as nothing is owed by it.
create unlogged table limit_windows (
  workspace_id int not null,
  name text not null,
  opened_at timestamptz not null,
  used int not null,
  primary key (workspace_id, name)
);

-- Requests that are being answered. One that nobody renews ends by itself: its process is gone.
create unlogged table limit_leases (
  id uuid primary key,
  workspace_id int not null,
  ends_at timestamptz not null
);
create index limit_leases_workspace on limit_leases (workspace_id, ends_at);

-- Each event of the payment provider once, in the transaction of what it changed.
create table payment_events (
  id text primary key check (length(id) <= 255),
  type text not null,
  received_at timestamptz not null,
  workspace_id int references workspaces on delete set null
);

select lock_tenant(tenant) from unnest(array['limit_windows', 'limit_leases', 'payment_events']) as tenant;
