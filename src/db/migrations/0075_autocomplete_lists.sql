-- What the autocomplete of a store listed for a prefix when a workspace requested it. Each
-- workspace has its own, so that none learns from the speed of a response what another requested.
create table autocomplete_lists (
  workspace_id int not null references workspaces on delete cascade,
  store text not null,
  country text not null check (country ~ '^[a-z]{2}$'),
  prefix text not null,
  terms text[] not null,                   -- in the order of the store
  read_at timestamptz not null,
  primary key (workspace_id, store, country, prefix)
);
create index autocomplete_lists_read on autocomplete_lists (workspace_id, read_at);
select enable_tenant_isolation('autocomplete_lists');
