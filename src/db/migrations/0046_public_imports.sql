-- An operator's import restores facts about the stores as public facts of the instance. The rows of
-- such an import are published in steps, which a crash may interrupt: a row is deleted with the
-- step that published it. Rows that this instance cannot take as public facts lose the mark and
-- stay evidence of the workspace.
alter table imports add column as_public_facts boolean not null default false;
alter table imported_facts add column to_publish boolean not null default false;
alter table imported_daily_ranks add column to_publish boolean not null default false;
create index imported_facts_to_publish on imported_facts (workspace_id, kind, on_date, id)
  where to_publish;
create index imported_daily_ranks_to_publish on imported_daily_ranks (workspace_id)
  where to_publish;
