-- Workspaces that exceed their plan's limit and have nothing scheduled: their grace period is over.
-- The periodic task resumes one that a clock ended too early, and reads only the newest of these.
create index workspaces_over_limit on workspaces (over_limit_since)
  where reconcile_at is null and over_limit_since is not null;
