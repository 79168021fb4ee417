-- The search popularity that Apple publishes by country, genre and month. They are public facts of
-- the store, which belong to no workspace.

create table popularity_genres (
  id smallint primary key,
  code text not null unique
);
insert into popularity_genres
select number - 1, code from unnest(array['business', 'education', 'entertainment', 'finance',
  'food_drink', 'games', 'health_fitness', 'lifestyle', 'new_publication', 'photo_video',
  'productivity_utilities', 'shopping', 'social_networking', 'sports', 'travel'])
  with ordinality as g(code, number);

-- A file that an operator imports: what was read of it, what was refused, and what came of it.
create table popularity_imports (
  id bigint generated always as identity primary key,
  job_id bigint unique references jobs on delete set null,
  requested_by text not null,
  file_name text not null,
  bytes bigint not null,
  parts int not null,
  format text check (format in ('xlsx', 'csv')),
  created_at timestamptz not null,
  finished_at timestamptz,                 -- null until it is imported or refused
  rows_read int not null default 0,
  rows_refused int not null default 0,
  percent smallint not null default 0,
  refused jsonb not null default '[]',     -- rows by reason, with the first lines of each
  sets jsonb not null default '[]',        -- the result for each country and month
  refusal jsonb                            -- why nothing of the file was imported
);
create index popularity_imports_newest on popularity_imports (id desc);

-- An uploaded file, part by part, until it is imported or a day has passed.
create table popularity_import_parts (
  workspace_id int not null references workspaces on delete cascade,
  number int not null check (number between 1 and 100),
  data bytea storage external not null,
  stored_at timestamptz not null,
  primary key (workspace_id, number)
);
create index popularity_import_parts_stored on popularity_import_parts (stored_at);
select enable_tenant_isolation('popularity_import_parts');

-- The terms of a country in a period. An import writes new sets and makes them active in one
-- transaction with the end of those that they replace, so that nobody sees half a set. The rows of
-- a discarded set are deleted in batches.
create table popularity_sets (
  id int generated always as identity primary key,
  country text not null check (country ~ '^[a-z]{2}$'),
  granularity text not null check (granularity in ('month', 'week')),
  period date not null,                    -- the first day
  source text not null check (source in ('file', 'api')),
  import_id bigint references popularity_imports on delete set null,
  state text not null default 'staging' check (state in ('staging', 'active', 'discarded')),
  terms int not null default 0,
  created_at timestamptz not null
);
create unique index popularity_sets_active on popularity_sets (country, granularity, period)
  where state = 'active';
create index popularity_sets_period on popularity_sets (period) where state = 'active';
create index popularity_sets_not_active on popularity_sets (state, id) where state <> 'active';
create index popularity_sets_import on popularity_sets (import_id);

-- One row for each published term, 300,000 a month. They refer to their set without a foreign key,
-- which would be checked for each row of an import.
create table popularity (
  set_id int not null,
  genre smallint not null,
  rank smallint not null check (rank > 0),
  popularity_in_genre smallint not null check (popularity_in_genre between 1 and 100),
  popularity smallint not null check (popularity between 1 and 100),
  level smallint not null check (level between 1 and 5),
  -- Normalized as phrases are. The collation lets the index find beginnings of terms.
  term text collate "C" not null,
  original text,                           -- as published, where it differs
  primary key (set_id, genre, rank)
);
create index popularity_term on popularity (set_id, term);

-- The lowest popularity that is published in a genre: a term that is not listed there has no more.
create table popularity_floors (
  set_id int not null references popularity_sets on delete cascade,
  genre smallint not null references popularity_genres,
  terms int not null,
  floor smallint not null,
  primary key (set_id, genre)
);

grant select on popularity_genres, popularity_sets, popularity, popularity_floors to toprung_app;
