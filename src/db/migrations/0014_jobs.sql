-- Accepted work: the row exists before the 202 is sent.
create table jobs (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int references apps on delete cascade,
  kind text not null check (kind ~ '^[a-z-]{3,40}$'),
  state text not null default 'queued'
    check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'shed')),
  dedupe_key text,
  payload jsonb not null default '{}',
  total int not null default 0,
  done int not null default 0,
  attempts smallint not null default 0,
  error text,
  result jsonb,
  -- Background jobs only: the worker's lease. The job is due again when it passes.
  queued_until timestamptz,
  queued_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz
);
create index jobs_workspace on jobs (workspace_id, id desc);
create index jobs_open on jobs (id) where state in ('queued', 'running');
create unique index jobs_deduped on jobs (workspace_id, dedupe_key)
  where dedupe_key is not null and state in ('queued', 'running');
select enable_tenant_isolation('jobs');

-- Jobs that crashed their worker five times, kept for inspection.
create table dead_letters (
  id bigint generated always as identity primary key,
  queue text not null,
  job_id text not null unique,
  data jsonb not null,
  dead_lettered_at timestamptz not null default now()
);
