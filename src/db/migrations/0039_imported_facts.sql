-- Facts that another instance read from the stores, from its export: results, reviews, changes,
-- category ranks, scores, daily numbers, snapshots. They are evidence of the workspace that
-- imported them and of nobody else: no tenant's file becomes a public fact of a shared instance. A
-- row holds items of one kind and day, as the API's lists and exports show them.
create table imported_facts (
  id bigint generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  keyword_id int references keywords on delete cascade, -- null: facts about listings
  kind text not null,
  on_date date not null,
  items jsonb not null check (jsonb_typeof(items) = 'array')
);
create index imported_facts_app on imported_facts (app_id, kind, on_date);
create index imported_facts_keyword on imported_facts (keyword_id, kind, on_date)
  where keyword_id is not null;
create index imported_facts_workspace on imported_facts (workspace_id);
select enable_tenant_isolation('imported_facts');

-- Ids of imported reviews, changes and snapshots. They begin where those of this instance never
-- arrive, so that an id is that of one fact.
create sequence imported_fact_ids as int minvalue 1073741824 maxvalue 2147483646;
grant usage on sequence imported_fact_ids to toprung_app;
