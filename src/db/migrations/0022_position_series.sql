-- The provider whose order a store's positions have, from a day on. Positions of two providers are
-- never compared. Each start adds the first row of a new store; positions from before this table
-- have the provider of their stored results.
create table position_series (
  store text not null references stores,
  from_day date not null,
  provider text not null,
  primary key (store, from_day)
);
insert into position_series (store, from_day, provider)
select distinct on (m.store) m.store, date '2000-01-01', s.provider
from serps s join markets m on m.id = s.market_id order by m.store, s.on_date;
grant select on position_series to toprung_app;

-- Null: the source does not say.
alter table imported_daily_ranks add column provider text;

create function position_provider(of_store text, on_day date) returns text
language sql stable as $$
  select provider from position_series where store = of_store and from_day <= on_day
  order by from_day desc limit 1
$$;
