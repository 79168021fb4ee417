-- A receiver that has never responded, or does not now, may hang; few deliveries go to such
-- receivers at a time, so that they delay no others.
alter table webhooks add column has_succeeded boolean not null default false;
update webhooks w set has_succeeded = exists (
  select from deliveries d where d.webhook_id = w.id and d.state = 'succeeded');
