-- Tenant tables carry workspace_id and FORCE row-level security. It is the second lock behind
-- queries that name the workspace first. toprung_app (requests) is bound by it; toprung_system (the
-- daily run, sign-in) sees every workspace.

do $$
begin
  if not exists (select from pg_roles where rolname = 'toprung_app') then
    begin
      create role toprung_app nologin;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  if not exists (select from pg_roles where rolname = 'toprung_system') then
    begin
      create role toprung_system nologin;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  -- A role that creates another may grant it to others, but may not assume it without this grant.
  if not (pg_has_role(current_user, 'toprung_app', 'set')
    and pg_has_role(current_user, 'toprung_system', 'set')) then
    execute format('grant toprung_app, toprung_system to %I with set true, inherit true',
      current_user);
  end if;
end $$;

grant usage on schema public to toprung_app, toprung_system;
-- The table of migrations exists already.
grant select, insert, update, delete on all tables in schema public to toprung_system;
-- The role of the daily run may do everything with shared facts. Each migration grants, table by
-- table, what requests may do with them.
alter default privileges in schema public
  grant select, insert, update, delete on tables to toprung_system;
alter default privileges in schema public grant usage on sequences to toprung_app, toprung_system;

-- A transaction names its workspace with app.workspace. An unset one reads as '', hence nullif.
create function enable_tenant_isolation(tenant text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', tenant);
  execute format('alter table %I force row level security', tenant);
  execute format(
    'create policy tenant_isolation on %I to toprung_app'
    ' using (workspace_id = (select nullif(current_setting(''app.workspace'', true), '''')::int))'
    ' with check (workspace_id = nullif(current_setting(''app.workspace'', true), '''')::int)',
    tenant);
  execute format(
    'create policy system_access on %I to toprung_system using (true) with check (true)', tenant);
  execute format(
    'grant select, insert, update, delete on %I to toprung_app, toprung_system', tenant);
end $$;
