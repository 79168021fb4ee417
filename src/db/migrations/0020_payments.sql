-- What the payment provider was asked is numbered in the order of asking: an answer that comes late does not replace a newer one.
create sequence payment_reads;
alter table workspaces add column payment_read bigint not null default 0;
