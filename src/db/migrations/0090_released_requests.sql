-- Ends requests: deletes their leases, and gives requests back to windows that are still open if
-- their lease was. It takes the locks of consume_requests first, in the same order: processes that
-- updated windows without them deadlocked with those that counted. Tests pass `at`; otherwise the
-- server's time counts.
create function release_requests(
  workspace_list int[], lease_list uuid[], unused_list jsonb, at timestamptz
) returns void
language plpgsql as $$
declare
  workspace int;
begin
  for workspace in select distinct w from unnest(workspace_list) as w order by w loop
    perform pg_advisory_xact_lock(hashtext('limits'), workspace);
  end loop;
  with ended as (
    delete from rate_limit_leases where id = any(lease_list) returning id, ends_at
  ), given as (
    select w.workspace_id, w.name, w."openedAt" as opened_at, count(*)::int as n
    from jsonb_to_recordset(unused_list)
      as w(lease uuid, workspace_id int, name text, "openedAt" timestamptz)
    join ended e on e.id = w.lease and e.ends_at > coalesce(at, clock_timestamp())
    group by 1, 2, 3
  )
  update rate_limit_windows l set used = greatest(0, l.used - g.n) from given g
  where l.workspace_id = g.workspace_id and l.name = g.name and l.opened_at = g.opened_at;
end $$;

-- Trials that a clock ended too early, which the periodic task resumes. It reads only these.
create index workspaces_lapsed_trials on workspaces (trial_ends_at)
  where status = 'lapsed' and plan is null;
