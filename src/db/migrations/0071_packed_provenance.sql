-- The provenance of a score in a compact form that repeats no names. It is in one of the two
-- columns: rows from before this migration stay as they are.
alter table market_provenance alter column provenance drop not null, add column packed bytea;
alter table score_provenance alter column provenance drop not null, add column packed bytea;

-- A process of 0.4.0 that runs during an upgrade writes only `provenance`: what it replaces is no
-- longer in `packed`, and what it moves from there is taken along.
create function prefer_newest_provenance() returns trigger language plpgsql as $$
begin
  new.packed := null;
  return new;
end $$;
create trigger prefer_newest before update on market_provenance for each row
  when (new.provenance is not null and new.packed is not null)
  execute function prefer_newest_provenance();
create function move_packed_provenance() returns trigger language plpgsql as $$
begin
  select p.packed into new.packed
  from scores s join market_provenance p on p.market_id = s.market_id
  where s.id = new.score_id;
  return new;
end $$;
create trigger move_packed before insert on score_provenance for each row
  when (new.provenance is null and new.packed is null)
  execute function move_packed_provenance();
