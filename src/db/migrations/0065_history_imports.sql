-- Histories of other tools: the uploaded file, how it was read, and the result of each row. A check
-- reads the file and writes chunks of results; the import writes the positions of these chunks, so
-- that it does exactly what the check has shown, and continues with the next chunk after a crash.

create table history_imports (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  job_id bigint references jobs on delete set null,
  requested_by text not null,
  file_name text not null,
  created_at timestamptz not null,
  phase text not null default 'uploading'
    check (phase in ('uploading', 'checking', 'checked', 'importing', 'imported', 'refused')),
  parts int,                               -- null until the first check
  reading jsonb,                           -- how the newest check reads the file
  percent smallint not null default 0,
  rows_read int not null default 0,
  rows_written int not null default 0,     -- before the import: those that it would write
  rows_known int not null default 0,
  reasons jsonb not null default '{}',     -- refused rows by reason
  missing jsonb not null default '[]',     -- phrases that are not tracked
  refusal jsonb,                           -- why the file was not read to its end
  finished_at timestamptz
);
create index history_imports_newest on history_imports (workspace_id, id desc);
create index history_imports_app on history_imports (app_id);
create index history_imports_job on history_imports (job_id);
create index history_imports_created on history_imports (created_at);
select enable_tenant_isolation('history_imports');

-- An uploaded file, part by part, compressed; deleted with its import or after a day.
create table history_import_parts (
  workspace_id int not null references workspaces on delete cascade,
  import_id bigint not null references history_imports on delete cascade,
  number int not null check (number between 1 and 2000),
  bytes int not null,                      -- before compression
  data bytea storage external not null,
  stored_at timestamptz not null,
  primary key (import_id, number)
);
create index history_import_parts_workspace on history_import_parts (workspace_id);
create index history_import_parts_stored on history_import_parts (stored_at);
select enable_tenant_isolation('history_import_parts');

-- The results of up to 5,000 rows in the order of the file, compressed.
create table history_import_chunks (
  workspace_id int not null references workspaces on delete cascade,
  import_id bigint not null references history_imports on delete cascade,
  number int not null,
  outcomes jsonb not null,                 -- the number of rows with each outcome
  data bytea storage external not null,
  imported boolean not null default false,
  primary key (import_id, number)
);
create index history_import_chunks_workspace on history_import_chunks (workspace_id);
select enable_tenant_isolation('history_import_chunks');
