-- The schedule of backups as the scheduler's settings have it: processes of other roles, which
-- report a missing backup, do not have these settings. Null while none is scheduled.
alter table instance add column backup_schedule jsonb;

-- When a process first did not find the file of a superseded backup, which another host may have.
alter table backups add column missing_since timestamptz;
