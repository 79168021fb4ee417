-- The stores and their kinds of tasks, as far as queries need them. Each start fills these tables
-- from src/stores/*/profile.ts (src/db/sync-stores.ts); SQL contains no value of a store.
create table stores (
  store text primary key check (store ~ '^[a-z][a-z0-9]{0,19}$'),
  rank smallint not null,                  -- lists name the stores in this order
  first_page smallint not null check (first_page > 0),
  next_page smallint not null check (next_page > 0),
  listings_per_request smallint not null check (listings_per_request > 0),
  confirms_empty_hints boolean not null,
  charts text[] not null
);

-- A store without a row for a kind has no such tasks. `usual_requests` are the requests of a task
-- until its own are known.
create table store_task_kinds (
  store text not null references stores,
  kind text not null check (kind in ('reviews', 'chart', 'page', 'hints')),
  usual_requests real not null,
  primary key (store, kind)
);
grant select on stores, store_task_kinds to toprung_app;

-- The maximum of requests that a search to this depth takes.
create function search_requests(store stores, depth int) returns float8
language sql immutable as $$
  select 1 + ceil(greatest(depth - store.first_page, 0)::float8 / store.next_page)
$$;

-- The store responds to a search of any depth with one request.
create function has_single_page(store stores) returns boolean
language sql immutable as $$ select store.first_page >= 200 $$;
