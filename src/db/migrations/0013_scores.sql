-- Traffic and difficulty of a market, with their provenance. Public facts; history is kept.
create table scores (
  id int generated always as identity primary key,
  market_id int not null references markets,
  scored_at timestamptz not null,
  -- The oldest day of the evidence: a workspace that tracks the market only later does not see it.
  observed_on date not null,
  traffic smallint check (traffic between 0 and 100),
  difficulty smallint check (difficulty between 0 and 100),
  formula text not null,
  provenance jsonb not null
);
create index scores_market on scores (market_id, id desc);

-- The store's suggestions while a market's phrase was typed, by day.
create table hint_evidence (
  market_id int not null references markets,
  on_date date not null,
  offered jsonb not null,                  -- [[prefix, position or null], ...]
  primary key (market_id, on_date)
);

-- A copy of each market's newest score, for lists.
create table market_scores (
  market_id int primary key references markets,
  score_id int not null references scores,
  scored_at timestamptz not null,
  observed_on date not null,
  serp_on date,                            -- the day of the search results behind it
  traffic smallint,
  difficulty smallint,
  confidence text not null
) with (fillfactor = 80);
grant select on scores, hint_evidence, market_scores to toprung_app;
