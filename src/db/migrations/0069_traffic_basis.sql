-- Whether the traffic of a score is a number that the store publishes, or the bound of a phrase
-- that it does not list, so that lists can say so. Null: an estimate, and scores from before.
alter table market_scores add column traffic_basis text
  check (traffic_basis in ('published', 'bound'));
