-- Backups of the whole instance. A scheduled one has a row for its instant, so that one process
-- makes it; it renews the lease while it runs, and another one repeats what a dead process began.
-- No backup contains this table: what it says is true of this instance's files alone.
create table backups (
  id bigint generated always as identity primary key,
  -- Null for a backup by command.
  scheduled_for timestamptz unique,
  state text not null check (state in ('running', 'succeeded', 'failed')),
  attempts int not null default 1,
  started_at timestamptz not null,
  finished_at timestamptz,
  leased_until timestamptz,
  retry_at timestamptz,
  error text,
  path text,
  bytes bigint,
  rows bigint,
  database_bytes bigint,
  seconds real,
  -- The file of an older one was deleted.
  deleted_at timestamptz
);
create index backups_newest on backups (started_at desc) where state = 'succeeded';
