-- The daily tasks of a run that are complete, by name. Any process continues with the others.
-- Compatible with 0.4.0: the columns have defaults, and its processes read none of them.
alter table runs add column done_tasks text[] not null default '{}';

-- Failed connections through an endpoint, equal in all of its rows. In memory each process knows
-- only its own, and that of the API sends few requests.
alter table pacing
  add column connection_failures int not null default 0,
  add column unavailable_until timestamptz;
