-- The scores of phrases in countries that are not tracked, which people request many at a time. A
-- row is the newest result of an app for a phrase in a country; a failed request changes only the
-- columns about the failure.
create table country_scores (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  country text not null check (country ~ '^[a-z]{2}$'),
  device text not null,
  phrase text not null,
  requested_at timestamptz not null,       -- by the newest request that names it
  job_id bigint,                           -- the job that scores it; null when it is done
  attempts smallint not null default 0,
  due_at timestamptz,                      -- the next attempt, while there is a job
  failed_at timestamptz,                   -- set when the newest attempts had no result
  failure text,
  scored_at timestamptz,                   -- null before the first result
  position smallint check (position >= 1), -- null: not found within the depth
  depth smallint check (depth >= 1),
  traffic smallint check (traffic between 0 and 100),
  difficulty smallint check (difficulty between 0 and 100),
  certainty jsonb,                         -- ranges, confidences and published popularity
  check ((scored_at is null) = (depth is null)),
  unique (app_id, device, phrase, country)
);
create index country_scores_of_job on country_scores (job_id, due_at, id) where job_id is not null;
create index country_scores_requested on country_scores (workspace_id, requested_at);
select enable_tenant_isolation('country_scores');
