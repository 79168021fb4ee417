-- A search provider that withholds results responds with 200 and lists far shorter than on the days
-- before. An anomaly is open from its detection until searches of known markets are whole again;
-- until then the provider counts as degraded.
create table response_anomalies (
  id int generated always as identity primary key,
  store text not null references stores,
  provider text not null,
  on_date date not null,
  detected_at timestamptz not null,
  unconfirmed_from timestamptz not null,      -- implausible checks since then are retracted
  compared smallint not null,              -- the latest responses of markets with a usual length
  short smallint not null,                 -- those that were far shorter
  retracted int not null default 0,
  is_retracted boolean not null default false,
  recovered_at timestamptz,
  check (short <= compared)
);
create unique index response_anomalies_open on response_anomalies (store, provider)
  where recovered_at is null;
create index response_anomalies_date on response_anomalies (on_date);
grant select on response_anomalies to toprung_app;

-- Since when a market's results wait for confirmation, and how many there were.
alter table market_schedule add column unconfirmed_since timestamptz;
alter table market_schedule add column unconfirmed_results smallint;
