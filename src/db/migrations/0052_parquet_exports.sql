-- The nightly export of positions to Parquet files. As with backups, a run has a row for its
-- instant, so that one process writes it; it renews the lease while it runs, and another one
-- repeats what a dead process began. No backup contains this table: its files belong to this
-- instance.
create table parquet_exports (
  scheduled_for timestamptz primary key,
  state text not null check (state in ('running', 'succeeded', 'failed')),
  attempts int not null default 1,
  started_at timestamptz not null,
  finished_at timestamptz,
  leased_until timestamptz,
  retry_at timestamptz,
  error text,
  files int,
  written int,
  removed int,
  rows bigint
);
