-- Failed searches of a provider in a row: of checks while its probe of the day passes, and of
-- probes while it fails. Some of the first make another probe due, and after some of the others the
-- provider is left out. `attempts` counts all probes of the day.
-- Compatible with 0.4.0: its processes neither read nor write the column.
alter table store_probes add column failures smallint not null default 0;
update store_probes set failures = attempts where state = 'degraded';
