-- A workspace's export: written by its job, kept for a day.
create table exports (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  job_id bigint not null references jobs on delete cascade,
  format text not null check (format in ('ndjson')),
  created_at timestamptz not null,
  rows bigint,
  bytes bigint,
  sha256 text,
  expires_at timestamptz,                  -- null until it is complete
  unique (job_id)
);
create index exports_workspace on exports (workspace_id, id desc);
create index exports_expiring on exports (expires_at);
select enable_tenant_isolation('exports');

-- The exported file in chunks, each compressed with gzip by itself: any API process serves it.
create table export_chunks (
  workspace_id int not null references workspaces on delete cascade,
  export_id bigint not null references exports on delete cascade,
  number int not null,
  data bytea storage external not null,
  primary key (export_id, number)
);
select enable_tenant_isolation('export_chunks');

-- An uploaded file, part by part, until it is imported or a day has passed.
create table import_parts (
  workspace_id int not null references workspaces on delete cascade,
  number int not null check (number between 1 and 4000),
  data bytea storage external not null,
  stored_at timestamptz not null,
  primary key (workspace_id, number)
);
create index import_parts_stored on import_parts (stored_at);
select enable_tenant_isolation('import_parts');

create table imports (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  job_id bigint unique references jobs on delete cascade, -- null: done in the request itself
  parts int not null,
  sha256 text,                             -- set once imported: the same file is not imported twice
  created_at timestamptz not null,
  report jsonb,
  followed_to int,                         -- tracking has resumed up to this app; null: of all
  refusal jsonb
);
create index imports_workspace on imports (workspace_id, id desc);
select enable_tenant_isolation('imports');
