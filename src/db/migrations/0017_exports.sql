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
  expires_at timestamptz,                  -- null until it is whole
  unique (job_id)
);
create index exports_workspace on exports (workspace_id, id desc);
create index exports_expiring on exports (expires_at);
select lock_tenant('exports');

-- Its file, in pieces that are packed (gzip) one by one: any API process serves it.
create table export_chunks (
  workspace_id int not null references workspaces on delete cascade,
  export_id bigint not null references exports on delete cascade,
  number int not null,
  data bytea not null,
  primary key (export_id, number)
);
alter table export_chunks alter column data set storage external;
select lock_tenant('export_chunks');

-- Positions that this instance did not see itself: a workspace's own, from its export elsewhere or from another tool. Shown
-- to it alone, on days without a cell of the instance. The listing stands beside the keyword: these are its app's places.
create table imported_cells (
  workspace_id int not null references workspaces on delete cascade,
  keyword_id int not null references keywords on delete cascade,
  listing_id int not null references listings,
  on_date date not null,
  position smallint check (position between 1 and 200),
  depth smallint not null check (depth between 1 and 200),
  checked_at timestamptz,                  -- null: the source does not say
  primary key (keyword_id, on_date),
  check (position <= depth)
);
create index imported_cells_workspace on imported_cells (workspace_id);
select lock_tenant('imported_cells');

-- A file on its way in, part by part, until it is imported or a day has passed.
create table import_parts (
  workspace_id int not null references workspaces on delete cascade,
  number int not null check (number between 1 and 4000),
  data bytea not null,
  stored_at timestamptz not null,
  primary key (workspace_id, number)
);
alter table import_parts alter column data set storage external;
create index import_parts_stored on import_parts (stored_at);
select lock_tenant('import_parts');

-- An import: its report, or why it was refused. The file's hash says that it is here already.
create table imports (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  job_id bigint unique references jobs on delete cascade, -- null: done in the request itself
  parts int not null,
  sha256 text,                             -- once it is imported
  created_at timestamptz not null,
  report jsonb,
  followed_to int,                         -- its first readings are accepted up to this app; null: of all, or there are none
  refusal jsonb
);
create index imports_workspace on imports (workspace_id, id desc);
select lock_tenant('imports');
-- After a large import they are analyzed, which is not to wait for a turn of autovacuum.
grant maintain on apps, keywords, competitors to toprung_system;
