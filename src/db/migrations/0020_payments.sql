-- Readings of the payment provider are numbered in the order of the requests, so that a late
-- response does not replace a newer one.
create sequence payment_reads;

-- Each event of the payment provider once, in the transaction of its effect.
create table payment_events (
  id text primary key check (length(id) <= 255),
  type text not null,
  received_at timestamptz not null,
  workspace_id int references workspaces on delete set null
);
select enable_tenant_isolation('payment_events');
