-- Digests whose time was before this instant are not sent: a workspace that was suspended, deleted
-- or without a plan takes part in the daily run again since then. `digest_at` cannot say so,
-- because a change of the digest's day or hour replaces it.
-- Compatible with 0.4.0: its processes neither read nor write the column.
alter table workspaces add column digests_from timestamptz;
