-- How often each field of a store's responses had a value, by day and source: `listing` (lookups on
-- iOS, details pages on Android), `page`, `chart`, and `search/<provider>`. A reading without the
-- value is missing; it is also lost where the value was there before. A response of results is one
-- reading, and lacks a field that none of its results has.
create table field_days (
  on_date date not null,
  store text not null references stores,
  source text not null,
  field text not null,
  read int not null default 0,
  missing int not null default 0,
  lost int not null default 0 check (lost <= missing),
  primary key (on_date, store, source, field)
) with (fillfactor = 60);

-- The times in which a field lost far more values than on the days before. Lost values of such a
-- field are not facts of the store, unless it lasts so long that it is accepted.
create table field_drifts (
  store text not null references stores,
  source text not null,
  field text not null,
  began_at timestamptz not null,
  ended_at timestamptz check (ended_at >= began_at),
  is_accepted boolean not null default false,
  primary key (store, source, field, began_at)
);
create unique index field_drifts_open on field_drifts (store, source, field)
  where ended_at is null;

grant select on field_days, field_drifts to toprung_app;
