-- Traffic and difficulty of a market, with what they were made from; history is kept. Public facts.
create table scores (
  id int generated always as identity primary key,
  market_id int not null references markets,
  scored_at timestamptz not null,
  observed_on date not null,               -- the oldest day of the evidence: who follows the market later does not see it
  traffic smallint check (traffic between 0 and 100),
  difficulty smallint check (difficulty between 0 and 100),
  formula text not null,
  provenance jsonb not null
);
create index scores_market on scores (market_id, id desc);

-- What the store offered while a market's phrase was typed: prefixes and places, by day.
create table hint_evidence (
  market_id int not null references markets,
  on_date date not null,
  offered jsonb not null,                  -- [[prefix, place or null], ...]
  primary key (market_id, on_date)
);

-- The newest score of each market, kept beside it for lists.
create table market_scores (
  market_id int primary key references markets,
  score_id int not null references scores,
  scored_at timestamptz not null,
  observed_on date not null,
  serp_on date,                            -- the day of the results it was made from
  traffic smallint,
  difficulty smallint,
  confidence text not null
) with (fillfactor = 80);
grant select on scores, hint_evidence, market_scores to toprung_app;
