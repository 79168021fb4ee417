-- The weekly popularity that Apple offers through its Ads Platform API: the credentials of an
-- operator with the state of the sync, and the outcome of each country and week.

create table popularity_sync (
  id smallint primary key default 1 check (id = 1),
  client_id text not null,
  team_id text not null,
  key_id text not null,
  private_key bytea not null,              -- encrypted; the key is not in the database
  account_id text not null,
  account_name text not null,
  saved_by text not null,
  saved_at timestamptz not null,
  rejected_at timestamptz,                 -- nothing is requested from then on
  requested_at timestamptz,                -- by a person: the newest week is read again
  next_at timestamptz not null,
  leased_until timestamptz,
  started_at timestamptz,
  finished_at timestamptz,                 -- of the last sync without an error
  failures int not null default 0,         -- since the last sync without an error
  failure jsonb,                           -- code, message and instant of the last one
  requests_on date,
  requests int not null default 0          -- on that day
);

-- A quarantined set is complete, and nobody sees it before an operator accepts it.
-- Compatible with 0.4.0: the check becomes wider, and 0.4.0 has no such table.
alter table popularity_sets drop constraint popularity_sets_state_check;
alter table popularity_sets add constraint popularity_sets_state_check
  check (state in ('staging', 'active', 'quarantined', 'discarded'));

create table popularity_weeks (
  country text not null check (country ~ '^[a-z]{2}$'),
  week date not null,                      -- its Sunday
  outcome text not null check (outcome in ('synced', 'empty', 'quarantined', 'discarded')),
  set_id int references popularity_sets on delete set null,
  terms int not null,
  terms_before int,
  unreadable int not null,                 -- rows of the response
  reasons jsonb not null default '[]',     -- why it is implausible
  decided_by text,                         -- who accepted or discarded it
  updated_at timestamptz not null,
  primary key (country, week)
);
create index popularity_weeks_set on popularity_weeks (set_id);
create index popularity_weeks_quarantined on popularity_weeks (week desc, country)
  where outcome = 'quarantined';
