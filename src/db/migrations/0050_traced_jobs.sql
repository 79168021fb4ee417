-- The trace of the request that accepted a job, when OpenTelemetry is on: the processes that do
-- its work later continue it.
alter table jobs add column traceparent text check (length(traceparent) <= 60);

create index jobs_traced on jobs (id)
  where traceparent is not null and state in ('queued', 'running');
