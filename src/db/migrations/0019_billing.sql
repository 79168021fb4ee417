-- Plans of metered instances: what was asked lately, and what the payment provider told.

-- Requests of a workspace in a window that is open: by minute, UTC hour and UTC day. Lost in a crash, as nothing is owed by it.
create unlogged table limit_windows (
  workspace_id int not null,
  name text not null,
  opened_at timestamptz not null,
  used int not null,
  primary key (workspace_id, name)
);

-- Requests that are being answered. One that nobody renews ends by itself: its process is gone.
create unlogged table limit_leases (
  id uuid primary key,
  workspace_id int not null,
  ends_at timestamptz not null
);
create index limit_leases_workspace on limit_leases (workspace_id, ends_at);

-- Takes a request from all windows or from none. Requests of one workspace take their turn; `at` is for tests, else it is the server's time.
create function take_request(of_workspace int, lease uuid, lease_seconds int, parallel int, names text[], seconds int[], limits int[], at timestamptz)
returns table (now_ms float8, took boolean, open int, used int[])
language plpgsql as $$
declare
  opened timestamptz[];
begin
  perform pg_advisory_xact_lock(hashtext('limits'), of_workspace);
  at := coalesce(at, clock_timestamp());
  now_ms := extract(epoch from at) * 1000;
  select array_agg(to_timestamp(floor(extract(epoch from at) / w.length) * w.length) order by w.n) into opened
  from unnest(seconds) with ordinality as w(length, n);
  select array_agg(coalesce(l.used, 0) order by w.n) into used
  from unnest(names, opened) with ordinality as w(name, opened_at, n)
  left join limit_windows l on l.workspace_id = of_workspace and l.name = w.name and l.opened_at = w.opened_at;
  select count(*) into open from limit_leases where workspace_id = of_workspace and ends_at > at;
  took := lease is not null and open < parallel and not exists (select from unnest(used, limits) as u(used, most) where u.used >= u.most);
  if took then
    delete from limit_leases where workspace_id = of_workspace and ends_at <= at;
    insert into limit_leases (id, workspace_id, ends_at) values (lease, of_workspace, at + lease_seconds * interval '1 second');
    insert into limit_windows as l (workspace_id, name, opened_at, used)
    select of_workspace, w.name, w.opened_at, 1 from unnest(names, opened) as w(name, opened_at)
    on conflict (workspace_id, name) do update set opened_at = excluded.opened_at,
      used = case when l.opened_at = excluded.opened_at then l.used + 1 else 1 end;
    select array_agg(u + 1 order by n) into used from unnest(used) with ordinality as t(u, n);
    open := open + 1;
  end if;
  return next;
end $$;

-- Each event of the payment provider once, in the transaction of what it changed.
create table payment_events (
  id text primary key check (length(id) <= 255),
  type text not null,
  received_at timestamptz not null,
  workspace_id int references workspaces on delete set null
);

select lock_tenant(tenant) from unnest(array['limit_windows', 'limit_leases', 'payment_events']) as tenant;
