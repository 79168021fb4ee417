-- The copy of a backup in S3-compatible storage. `pending` once the file is good and a bucket is
-- set; one process at a time uploads it, under a lease, and a later one continues what a dead
-- process began. Null where no bucket was set.
alter table backups
  -- Of the first attempt: started_at is that of the newest one.
  add column first_started_at timestamptz,
  add column upload_state text
    check (upload_state in ('pending', 'running', 'succeeded', 'failed')),
  add column upload_attempts int not null default 0,
  add column upload_leased_until timestamptz,
  add column upload_retry_at timestamptz,
  add column upload_error text,
  add column uploaded_at timestamptz,
  add column upload_seconds real,
  -- Such as `s3://bucket/folder/name`, and the hash of the whole file.
  add column object_url text,
  add column sha256 text,
  -- The object of an older one was deleted.
  add column object_deleted_at timestamptz;
create index backups_uploaded on backups (started_at desc) where upload_state = 'succeeded';
