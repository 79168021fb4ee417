-- A top chart of a day, in one row: listing ids of four bytes each, first place first.
create table charts (
  chore_id int not null references chores,
  on_date date not null,
  depth smallint not null check (depth between 0 and 500),
  read_at timestamptz not null,
  ids bytea not null,
  primary key (chore_id, on_date)
);
grant select on charts to toprung_app;
