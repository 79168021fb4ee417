-- The trace of the request that accepted a job, when OpenTelemetry is on: the processes that do
-- its work later continue it.
alter table jobs add column traceparent text check (length(traceparent) <= 60);

create index jobs_traced on jobs (id)
  where traceparent is not null and state in ('queued', 'running');

-- The newest release, as UPDATE_CHECK_URL names it, and when it was last requested.
alter table instance
  add column newest_version text check (newest_version ~ '^\d{1,5}\.\d{1,5}\.\d{1,5}$'),
  add column newest_version_asked_at timestamptz;
