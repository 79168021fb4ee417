-- The results of closed months: a market's days of a month, by one provider, are one row instead of
-- thirty. A row of `serps` that is packed is deleted in the same transaction, so that each day is
-- in exactly one of the two tables.
-- Compatible with 0.4.0: the right is that of a new function, which no process of 0.4.0 calls.
create table serp_months (
  market_id int not null,
  month date not null check (extract(day from month) = 1),
  -- Bit n is set when the results have the day month + n.
  days int not null check (days > 0),
  last_on date not null,
  -- Of `last_on`.
  last_result_count smallint not null,
  -- Of these days the store had fewer results than the depth; their numbers, oldest first.
  short_days int not null default 0,
  provider text not null,
  short_counts smallint[],
  results bytea not null,
  primary key (market_id, month, provider)
) partition by range (month);
-- They are compressed already.
alter table serp_months alter column results set storage external;
create table serp_months_rest partition of serp_months default;
create index serp_months_rest_month on serp_months_rest (month);
grant select on serp_months to toprung_app;

-- Drops the partitions of `parent` that have no rows and whose days are all before `before`. A
-- large one is left until vacuum has shortened it, because a scan of deleted rows takes long.
-- Throws lock_not_available when the table is busy.
create function drop_empty_partitions(parent text, before date) returns int
language plpgsql security definer set search_path = public set lock_timeout = '400ms' as $$
declare
  partition text;
  has_rows boolean;
  dropped int := 0;
begin
  for partition in
    select c.relname
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    join pg_class p on p.oid = i.inhparent and p.relkind = 'p'
      and p.relnamespace = 'public'::regnamespace
    where p.relname = parent and c.relname ~ '_\d{4}_\d{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= before
      and pg_relation_size(c.oid) < 8000000
    order by 1
  loop
    execute format('select exists (select from %I)', partition) into has_rows;
    continue when has_rows;
    -- In the order of readers, who lock the whole table first.
    execute format('lock table only %I in access exclusive mode', parent);
    execute format('select exists (select from %I)', partition) into has_rows;
    continue when has_rows;
    execute format('drop table %I', partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
revoke execute on function drop_empty_partitions(text, date) from public;
grant execute on function drop_empty_partitions(text, date) to toprung_system;
