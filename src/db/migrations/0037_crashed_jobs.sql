-- A job that crashed its worker three times while nothing else ran has failed. It is tried again
-- once a day, because a new version may have mended the cause.
alter table jobs add column crashed_at timestamptz;
create index jobs_crashed on jobs (crashed_at) where crashed_at is not null;
