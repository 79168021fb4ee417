-- When a person last opened the briefing, and before that: it compares with the day before today.
create table briefing_visits (
  workspace_id int not null references workspaces on delete cascade,
  user_id int not null references users on delete cascade,
  visited_on date not null,
  previous_on date,
  primary key (workspace_id, user_id)
);
create index briefing_visits_user on briefing_visits (user_id);
select enable_tenant_isolation('briefing_visits');

-- The events that a person has read: all up to this sequence number.
create table event_reads (
  workspace_id int not null references workspaces on delete cascade,
  user_id int not null references users on delete cascade,
  sequence bigint not null,
  primary key (workspace_id, user_id)
);
create index event_reads_user on event_reads (user_id);
select enable_tenant_isolation('event_reads');
