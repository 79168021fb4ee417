-- The provenance of a score in a compact form that repeats no names. It is in one of the two
-- columns: rows from before this migration stay as they are.
alter table market_provenance alter column provenance drop not null, add column packed bytea;
alter table score_provenance alter column provenance drop not null, add column packed bytea;

-- A process of 0.4.0 that runs during an upgrade writes only `provenance`: the packed one that it
-- replaces is no longer the newest, and moves to `score_provenance` in the same statement,
-- whichever of its two writes comes first.
alter table market_provenance add column replaced bytea;
create function replace_packed_provenance() returns trigger language plpgsql as $$
begin
  new.replaced := old.packed;
  new.packed := null;
  return new;
end $$;
create trigger replace_packed before update on market_provenance for each row
  when (new.provenance is not null and old.packed is not null)
  execute function replace_packed_provenance();
create function move_packed_provenance() returns trigger language plpgsql as $$
begin
  select coalesce(p.packed, p.replaced) into new.packed
  from scores s join market_provenance p on p.market_id = s.market_id
  where s.id = new.score_id;
  return new;
end $$;
create trigger move_packed before insert on score_provenance for each row
  when (new.provenance is null and new.packed is null)
  execute function move_packed_provenance();
