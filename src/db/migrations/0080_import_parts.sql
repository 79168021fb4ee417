-- An import takes the largest export, which has 4 GiB: importPartsMax in
-- src/contract/body-limits.ts.
-- Compatible with 0.4.0: the check becomes wider.
alter table import_parts drop constraint import_parts_number_check;
alter table import_parts add constraint import_parts_number_check
  check (number between 1 and 17180);
