-- The delivery of the webhook that was attempted last: a retry or a redelivery of an older one, or
-- a test. No foreign key, because retention would lock the webhook after its deliveries, unlike
-- every other writer. Once the delivery is deleted, the webhook has no last one.
-- Compatible with 0.4.0: its processes do not know the column, and the next attempt sets it.
alter table webhooks add column last_delivery_id bigint;
-- Of a hundred deliveries at most, so that attempts of weeks are not read.
update webhooks w set last_delivery_id = (
  select d.id
  from (
    select id, attempts from deliveries
    where workspace_id = w.workspace_id and webhook_id = w.id and attempts > 0
    order by id desc limit 100
  ) d
  join delivery_attempts a on a.delivery_id = d.id and a.number = d.attempts
  order by a.at desc, d.id desc limit 1);
