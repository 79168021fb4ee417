-- A workspace's own opinion on a row of the shipped table of storefronts and locales, or a row that
-- the table does not have. An update of the table changes no override.
create table storefront_locale_overrides (
  workspace_id int not null references workspaces on delete cascade,
  country text not null,
  locale text not null,
  enabled boolean not null,
  note text,
  saved_at timestamptz not null,
  primary key (workspace_id, country, locale)
);
select enable_tenant_isolation('storefront_locale_overrides');
