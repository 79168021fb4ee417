-- Pictures that were given up after six attempts, because a proxy or a firewall held up their image
-- server, are due once more: since then one that cannot be reached is tried again each day. Those
-- that the server does not have are left out.
update image_sources set due_at = created_on
where due_at is null and image_hash is null and attempts >= 6 and last_marker not in ('400', '404');

-- Retention deletes old events of the payment provider by it.
create index payment_events_received on payment_events (received_at);
