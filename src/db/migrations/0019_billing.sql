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

-- Takes each request from all its windows or from none, workspace by workspace: of one they take their turn. A null lease only
-- looks. `at` is for tests, else it is the server's time.
create function take_requests(asks jsonb, lease_seconds int, at timestamptz)
returns table (n int, now_ms float8, took boolean, open int, used int[])
language plpgsql as $$
declare
  ask record;
  opened timestamptz[];
  asked_at timestamptz;
begin
  for ask in
    select * from jsonb_to_recordset(asks) as a(n int, workspace int, lease uuid, parallel int, names text[], seconds int[], limits int[])
    order by a.workspace, a.n
  loop
    perform pg_advisory_xact_lock(hashtext('limits'), ask.workspace);
    asked_at := coalesce(at, clock_timestamp());
    n := ask.n;
    now_ms := extract(epoch from asked_at) * 1000;
    select array_agg(to_timestamp(floor(extract(epoch from asked_at) / w.length) * w.length) order by w.place) into opened
    from unnest(ask.seconds) with ordinality as w(length, place);
    select array_agg(coalesce(l.used, 0) order by w.place) into used
    from unnest(ask.names, opened) with ordinality as w(name, opened_at, place)
    left join limit_windows l on l.workspace_id = ask.workspace and l.name = w.name and l.opened_at = w.opened_at;
    select count(*) into open from limit_leases where workspace_id = ask.workspace and ends_at > asked_at;
    took := ask.lease is not null and open < ask.parallel and not exists (select from unnest(used, ask.limits) as u(used, most) where u.used >= u.most);
    if took then
      delete from limit_leases where workspace_id = ask.workspace and ends_at <= asked_at;
      insert into limit_leases (id, workspace_id, ends_at) values (ask.lease, ask.workspace, asked_at + lease_seconds * interval '1 second');
      insert into limit_windows as l (workspace_id, name, opened_at, used)
      select ask.workspace, w.name, w.opened_at, 1 from unnest(ask.names, opened) as w(name, opened_at)
      on conflict (workspace_id, name) do update set opened_at = excluded.opened_at,
        used = case when l.opened_at = excluded.opened_at then l.used + 1 else 1 end;
      select array_agg(u + 1 order by place) into used from unnest(used) with ordinality as t(u, place);
      open := open + 1;
    end if;
    return next;
  end loop;
end $$;

-- Each event of the payment provider once, in the transaction of what it changed.
create table payment_events (
  id text primary key check (length(id) <= 255),
  type text not null,
  received_at timestamptz not null,
  workspace_id int references workspaces on delete set null
);

select lock_tenant(tenant) from unnest(array['limit_windows', 'limit_leases', 'payment_events']) as tenant;
