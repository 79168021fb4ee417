-- What the payment provider was asked is numbered in the order of asking: an answer that comes late does not replace a newer one.
create sequence payment_reads;
alter table workspaces add column payment_read bigint not null default 0;
-- Somebody set the plan: what is paid for is known still, and decides again when the provider tells of it.
alter table workspaces add column plan_by_hand boolean not null default false;
