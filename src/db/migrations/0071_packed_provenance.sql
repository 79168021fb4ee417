-- The provenance of a score in a compact form that repeats no names. It is in one of the two
-- columns: rows from before this migration stay as they are.
alter table market_provenance alter column provenance drop not null, add column packed bytea;
alter table score_provenance alter column provenance drop not null, add column packed bytea;
