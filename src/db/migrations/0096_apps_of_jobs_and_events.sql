-- When an app is deleted, its jobs are deleted and its events lose it. Without these indexes each
-- app reads all jobs and events of the instance: 0.2 s a million rows, for each app of a workspace.
create index jobs_app on jobs (app_id) where app_id is not null;
create index events_of_app on events (app_id) where app_id is not null;
