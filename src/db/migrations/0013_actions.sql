-- Suggested actions: a finding of a rule, with its evidence. The same finding (key) is open once.
create table actions (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int references apps on delete cascade,
  type text not null,
  key text not null,
  severity text not null check (severity in ('high', 'medium', 'low')),
  title text not null,
  reason text not null,
  evidence jsonb not null,
  keyword_ids int[] not null default '{}',
  status text not null default 'open' check (status in ('open', 'snoozed', 'resolved', 'dismissed')),
  opened_at timestamptz not null,
  seen_at timestamptz not null,            -- the last run that still found it
  snoozed_until timestamptz,
  resolved_at timestamptz,
  resolved_by text,                        -- 'user:<id>' or 'gone': the evidence is no more
  dismiss_reason text,
  outcome jsonb
);
create unique index actions_open on actions (workspace_id, key) where status in ('open', 'snoozed');
create index actions_list on actions (workspace_id, status, id desc);
select lock_tenant('actions');

-- One generation a workspace and UTC day.
create table action_runs (
  workspace_id int not null references workspaces on delete cascade,
  on_date date not null,
  job_id bigint,
  primary key (workspace_id, on_date)
);
select lock_tenant('action_runs');
