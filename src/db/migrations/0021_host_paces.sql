-- A host that throttles by itself has a pace of its own; '' is the pace of the store's other hosts.
alter table pacing add column host text not null default '';
alter table pacing drop constraint pacing_pkey;
alter table pacing add primary key (store, host, endpoint);
