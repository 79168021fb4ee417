-- Suggested actions: a finding of a rule, with its evidence. A finding (key) is open at most once.
create table actions (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int references apps on delete cascade,
  type text not null,
  key text not null,
  fingerprint text not null,               -- of the evidence: another one is another finding
  severity text not null check (severity in ('high', 'medium', 'low')),
  title text not null,
  reason text not null,
  evidence jsonb not null,
  keyword_ids int[] not null default '{}',
  status text not null default 'open'
    check (status in ('open', 'snoozed', 'resolved', 'dismissed')),
  opened_at timestamptz not null,
  seen_at timestamptz not null,            -- the last generation that found it
  snoozed_until timestamptz,
  resolved_at timestamptz,                 -- or dismissed
  resolved_by text,                        -- 'user:<id>', or 'gone' when the evidence disappeared
  dismiss_reason text,
  check ((status = 'snoozed') = (snoozed_until is not null)),
  check ((status in ('resolved', 'dismissed')) = (resolved_at is not null))
);
create unique index actions_open on actions (workspace_id, key) where status in ('open', 'snoozed');
create index actions_key on actions (workspace_id, key, id desc);
create index actions_list on actions (workspace_id, status, id desc);
create index actions_app on actions (app_id, status);
create index actions_snoozed on actions (snoozed_until) where status = 'snoozed';
select enable_tenant_isolation('actions');

-- One generation per workspace and UTC day: a second request gets the job of the first.
create table action_runs (
  workspace_id int not null references workspaces on delete cascade,
  on_date date not null,
  job_id bigint references jobs on delete set null,
  after_run boolean not null default false, -- started after the workspace's checks of the day
  primary key (workspace_id, on_date)
);
create index action_runs_job on action_runs (job_id) where job_id is not null;
select enable_tenant_isolation('action_runs');
