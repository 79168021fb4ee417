-- A top chart of a day in one row: listing ids of four bytes each, first position first.
create table charts (
  store_task_id int not null references store_tasks,
  on_date date not null,
  depth smallint not null check (depth between 0 and 500),
  read_at timestamptz not null,
  ids bytea not null,
  primary key (store_task_id, on_date)
);
grant select on charts to toprung_app;
