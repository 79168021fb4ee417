-- Periodic tasks find what is due in an index of its own size. They read neither what is done nor
-- every workspace.

-- Markets whose results are a week newer than their score's, or that have no score of results.
create table stale_scores (market_id int primary key);
insert into stale_scores
select s.market_id from market_schedule s left join market_scores m on m.market_id = s.market_id
where s.depth > 0 and s.checked_on is not null
  and (m.serp_on is null or m.serp_on <= s.checked_on - 7)
  and exists (select from serps p where p.market_id = s.market_id and p.on_date = s.checked_on);

-- Storefronts whose reviews were read since the alerts of their apps were evaluated.
alter table review_coverage add column is_evaluated boolean not null default false;
create index review_coverage_to_evaluate on review_coverage (listing_id, country)
  where not is_evaluated;

-- When the daily run may have to include the workspace differently: at once after a change, at the
-- end of a trial or of the grace period above the plan's limit, or not at all (null).
alter table workspaces add column reconcile_at timestamptz default '-infinity';
create index workspaces_to_reconcile on workspaces (reconcile_at) where reconcile_at is not null;

create function reconcile_changed_workspace() returns trigger language plpgsql as $$
begin
  new.reconcile_at := '-infinity';
  return new;
end;
$$;
create trigger reconcile_changed before update on workspaces for each row
when ((old.status, old.plan, old.suspended_at, old.delete_at, old.trial_ends_at,
    old.over_limit_since, old.daily_run_paused)
  is distinct from (new.status, new.plan, new.suspended_at, new.delete_at, new.trial_ends_at,
    new.over_limit_since, new.daily_run_paused))
execute function reconcile_changed_workspace();
