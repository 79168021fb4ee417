-- Ids of rows that accumulate as long as an instance runs have 64 bits. They stay below 2^53, so
-- that every client reads them exactly, also one that has no integers but doubles.
alter table scores alter column id type bigint;
alter table market_scores alter column score_id type bigint;
alter table snapshots alter column id type bigint;
alter table changes alter column id type bigint, alter column snapshot_id type bigint;
alter table reviews alter column id type bigint;
alter table review_versions alter column id type bigint, alter column review_id type bigint;
alter table actions alter column id type bigint;

alter table scores alter column id set maxvalue 9007199254740991;
alter table review_versions alter column id set maxvalue 9007199254740991;
alter table actions alter column id set maxvalue 9007199254740991;

-- Imported facts have the upper half of these numbers, where ids of this instance never arrive.
-- Those that were imported before keep their ids.
alter table snapshots alter column id set maxvalue 4503599627370495;
alter table changes alter column id set maxvalue 4503599627370495;
alter table reviews alter column id set maxvalue 4503599627370495;
alter sequence imported_fact_ids as bigint
  minvalue 1073741824 maxvalue 9007199254740991 restart 4503599627370496;
