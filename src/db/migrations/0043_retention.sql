-- Facts that grow day by day are in monthly partitions. A month that is over its time is dropped as
-- a whole, which deletes no rows. Rows of a month without a partition are in the default partition
-- (`_rest`), so that no write depends on a partition; those are deleted in batches.

alter table serps rename to serps_rest;
alter index serps_pkey rename to serps_rest_pkey;
create table serps (
  like serps_rest including defaults including constraints,
  primary key (market_id, on_date)
) partition by range (on_date);
alter table serps attach partition serps_rest default;
create index serps_rest_on_date on serps_rest (on_date);
grant select on serps to toprung_app;

-- The last results of each market. They are never deleted, whenever the market was last searched.
create table last_serps (
  market_id int primary key,
  on_date date not null,
  depth smallint not null,
  result_count smallint not null,
  ended text not null,
  provider text not null,
  language text,
  ids bytea not null,
  strengths bytea not null,
  ads smallint[]
) with (fillfactor = 70);
insert into last_serps
select distinct on (market_id) market_id, on_date, depth, result_count, ended, provider, language,
  ids, strengths, ads
from serps order by market_id, on_date desc;
grant select on last_serps to toprung_app;

-- A score stays; what it was made from is deleted after some months. The provenance of a market's
-- newest score is in a table of its own and stays with it. It moves to the monthly partitions when
-- the next score replaces it.
create table market_provenance (
  market_id int primary key references markets,
  provenance jsonb not null
);
create table score_provenance (
  score_id bigint not null,
  scored_on date not null,
  provenance jsonb not null,
  primary key (scored_on, score_id)
) partition by range (scored_on);
create table score_provenance_rest partition of score_provenance default;
insert into market_provenance
select m.market_id, s.provenance from market_scores m join scores s on s.id = m.score_id;
insert into score_provenance
select s.id, (s.scored_at at time zone 'UTC')::date, s.provenance
from scores s left join market_scores m on m.score_id = s.id where m.score_id is null;
alter table scores drop column provenance;
grant select on market_provenance, score_provenance to toprung_app;

-- Only the last hints of a market are evidence of its next score. Those of earlier scores are in
-- their provenance.
delete from hint_evidence h using hint_evidence newer
where newer.market_id = h.market_id and newer.on_date > h.on_date;
alter table hint_evidence drop constraint hint_evidence_pkey, add primary key (market_id);

-- Creates the partitions of the month of `from_day` and of `ahead` months after it. A month that
-- already has rows in the default partition stays there. Nobody waits long for the locks: a busy
-- table is left for the next call.
create function create_month_partitions(from_day date, ahead int) returns int
language plpgsql security definer set search_path = public set lock_timeout = '400ms' as $$
declare
  parent record;
  month date;
  partition text;
  has_rows boolean;
  created int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('month partitions'));
  for parent in
    select c.relname as name, a.attname as day
    from pg_partitioned_table p
    join pg_class c on c.oid = p.partrelid and c.relnamespace = 'public'::regnamespace
    join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    order by 1
  loop
    for number in 0..ahead loop
      month := date_trunc('month', from_day) + make_interval(months => number);
      partition := parent.name || to_char(month, '_YYYY_MM');
      continue when to_regclass(partition) is not null;
      begin
        execute format(
          'select exists (select from %I where %I >= $1 and %2$I < $1 + interval ''1 month'')',
          parent.name || '_rest', parent.day) into has_rows using month;
        continue when has_rows;
        execute format('create table %I (like %I including all)', partition, parent.name);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)',
          parent.name, partition, month, month + interval '1 month');
        created := created + 1;
      exception when lock_not_available or check_violation then null;
      end;
    end loop;
  end loop;
  return created;
end $$;

-- Drops the partitions whose days are all before `before`. Throws lock_not_available when the table
-- is busy.
create function drop_month_partitions(parent text, before date) returns int
language plpgsql security definer set search_path = public set lock_timeout = '400ms' as $$
declare
  partition text;
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
    order by 1
  loop
    execute format('drop table %I', partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

revoke execute on function create_month_partitions(date, int), drop_month_partitions(text, date)
  from public;
grant execute on function create_month_partitions(date, int), drop_month_partitions(text, date)
  to toprung_system;

-- The daily retention finds what is due by an index, whatever the size of the instance.
create index events_occurred on events (occurred_at);
create index jobs_finished on jobs (finished_at) where finished_at is not null;
create index keywords_purge on keywords (purge_at) where purge_at is not null;
create index apps_purge on apps (purge_at) where purge_at is not null;
create index idempotency_created on idempotency (created_at);
create index sessions_expiring on sessions (expires_at);
create index request_days_date on request_days (on_date);
create index on_demand_hours_hour on on_demand_hours (hour);
create index account_links_expiring on account_links (expires_at);
create index invites_ended on invites (coalesce(accepted_at, expires_at));
create index invite_mails_sent on invite_mails (sent_at);
create index dead_letters_date on dead_letters (dead_lettered_at);
