-- When the work of an Idempotency-Key first committed something, written in that transaction: such
-- work is never done again, even if its response was not stored.
-- Compatible with 0.4.0: its processes neither read nor write the column.
alter table idempotency add column committed_at timestamptz;
