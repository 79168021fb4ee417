-- Responses kept for a day, so that a repeated POST takes effect once.
create table idempotency (
  workspace_id int not null references workspaces on delete cascade,
  key text not null check (length(key) <= 200),
  request_hash bytea not null,
  status smallint,
  response text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, key)
);
select enable_tenant_isolation('idempotency');

-- Requests by day, credential and class. Token 0 stands for sessions. There is no foreign key,
-- because counts outlive their token.
create table request_days (
  workspace_id int not null references workspaces on delete cascade,
  on_date date not null,
  token_id int not null,
  rate_class text not null,
  requests bigint not null,
  primary key (workspace_id, on_date, token_id, rate_class)
);
select enable_tenant_isolation('request_days');

-- On-demand actions by the hour of their request.
create table on_demand_hours (
  workspace_id int not null references workspaces on delete cascade,
  kind text not null,
  hour timestamptz not null,
  uses int not null,
  primary key (workspace_id, kind, hour)
);
select enable_tenant_isolation('on_demand_hours');

-- A workspace's requests in its open rate-limit windows: by minute, UTC hour and UTC day. A crash
-- loses them, which is acceptable because nothing is billed by them.
create unlogged table rate_limit_windows (
  workspace_id int not null,
  name text not null,
  opened_at timestamptz not null,
  used int not null,
  primary key (workspace_id, name)
);
select enable_tenant_isolation('rate_limit_windows');

-- Requests in progress. A lease that is not renewed expires: its process is dead.
create unlogged table rate_limit_leases (
  id uuid primary key,
  workspace_id int not null,
  ends_at timestamptz not null
);
create index rate_limit_leases_workspace on rate_limit_leases (workspace_id, ends_at);
select enable_tenant_isolation('rate_limit_leases');

-- Counts each request in all of its windows or in none, one at a time within a workspace. A null
-- lease only reads the counts. Tests pass `at`; otherwise the server's time counts.
create function consume_requests(request_list jsonb, lease_seconds int, at timestamptz)
returns table (n int, now_ms float8, allowed boolean, open int, used int[])
language plpgsql as $$
declare
  request record;
  opened timestamptz[];
  asked_at timestamptz;
begin
  for request in
    select * from jsonb_to_recordset(request_list) as r(
      n int, workspace int, lease uuid, parallel int, names text[], seconds int[], limits int[])
    order by r.workspace, r.n
  loop
    perform pg_advisory_xact_lock(hashtext('limits'), request.workspace);
    asked_at := coalesce(at, clock_timestamp());
    n := request.n;
    now_ms := extract(epoch from asked_at) * 1000;
    select array_agg(
      to_timestamp(floor(extract(epoch from asked_at) / w.length) * w.length) order by w.ordinal
    ) into opened
    from unnest(request.seconds) with ordinality as w(length, ordinal);
    select array_agg(coalesce(l.used, 0) order by w.ordinal) into used
    from unnest(request.names, opened) with ordinality as w(name, opened_at, ordinal)
    left join rate_limit_windows l
      on l.workspace_id = request.workspace and l.name = w.name and l.opened_at = w.opened_at;
    select count(*) into open from rate_limit_leases
    where workspace_id = request.workspace and ends_at > asked_at;
    allowed := request.lease is not null and open < request.parallel
      and not exists (
        select from unnest(used, request.limits) as u(used, most) where u.used >= u.most
      );
    if allowed then
      delete from rate_limit_leases
      where workspace_id = request.workspace and ends_at <= asked_at;
      insert into rate_limit_leases (id, workspace_id, ends_at)
      values (request.lease, request.workspace, asked_at + lease_seconds * interval '1 second');
      insert into rate_limit_windows as l (workspace_id, name, opened_at, used)
      select request.workspace, w.name, w.opened_at, 1
      from unnest(request.names, opened) as w(name, opened_at)
      on conflict (workspace_id, name) do update set opened_at = excluded.opened_at,
        used = case when l.opened_at = excluded.opened_at then l.used + 1 else 1 end;
      select array_agg(u + 1 order by ordinal) into used
      from unnest(used) with ordinality as t(u, ordinal);
      open := open + 1;
    end if;
    return next;
  end loop;
end $$;

-- Sign-in attempts, counted by all API processes: rejected credentials by address, wrong passwords
-- by account. The first attempt after a window's end restarts it; readers delete ended windows. A
-- crash loses them: throttling then starts anew.
create unlogged table attempt_windows (
  kind text collate "C" not null,
  key text collate "C" not null,
  ends_at timestamptz not null,
  used int not null,
  primary key (kind, key)
);
create index attempt_windows_end on attempt_windows (ends_at);

-- Counts each attempt unless its window is full. All callers use one order, so that they cannot
-- deadlock. Tests pass `at`; otherwise the server's time counts, in whole milliseconds, because
-- callers send instants back. An attempt that waited for a lock may be older than the window that
-- it finds. A window that would last twice its length was left by a clock that has since been set
-- back.
create function consume_attempts(attempt_list jsonb, at timestamptz)
returns table (n int, allowed boolean, used int, ends_ms float8, now_ms float8)
language plpgsql as $$
declare
  attempt record;
  asked_at timestamptz;
  length interval;
  ends timestamptz;
begin
  for attempt in
    select * from jsonb_to_recordset(attempt_list) as a(
      n int, kind text, key text, most int, length_ms float8)
    order by a.kind collate "C", a.key collate "C", a.n
  loop
    length := attempt.length_ms * interval '1 millisecond';
    asked_at := date_trunc('milliseconds', coalesce(at, clock_timestamp()));
    n := attempt.n;
    now_ms := extract(epoch from asked_at) * 1000;
    insert into attempt_windows as w (kind, key, ends_at, used)
    values (attempt.kind, attempt.key, asked_at + length, 1)
    on conflict (kind, key) do update set
      ends_at = case when w.ends_at > asked_at and w.ends_at <= asked_at + 2 * length
        then w.ends_at else excluded.ends_at end,
      used = case when w.ends_at > asked_at and w.ends_at <= asked_at + 2 * length
        then w.used + 1 else 1 end
    where w.used < attempt.most or w.ends_at <= asked_at or w.ends_at > asked_at + 2 * length
    returning w.used, w.ends_at into used, ends;
    allowed := found;
    if not allowed then
      select w.used, w.ends_at into used, ends from attempt_windows w
      where w.kind = attempt.kind and w.key = attempt.key;
    end if;
    ends_ms := extract(epoch from ends) * 1000;
    return next;
  end loop;
end $$;
