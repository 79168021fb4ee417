-- /health counts the failed jobs of all workspaces.
create index jobs_failed on jobs (workspace_id) where state = 'failed';
