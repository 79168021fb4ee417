-- The limits of scores with low confidence, which lists show instead of a number. Null for others,
-- and for scores of version 1.
alter table market_scores add column traffic_low smallint, add column traffic_high smallint,
  add column difficulty_low smallint, add column difficulty_high smallint;
