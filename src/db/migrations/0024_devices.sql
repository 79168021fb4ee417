-- A store can have search results for several devices. The first one is that of a keyword that
-- names none. `store_profiles` has the stores as this version knows them.
alter table stores add column devices text[];
update stores s set devices = p.devices from store_profiles p where p.store = s.store;
alter table stores alter column devices set not null;

-- A phrase in a country of a store on a device. Markets from before are of the first device.
alter table markets add column device text check (device ~ '^[a-z][a-z0-9]{0,19}$');
update markets m set device = s.devices[1] from stores s where s.store = m.store;
alter table markets alter column device set not null;
alter table markets drop constraint markets_store_country_phrase_key;
alter table markets add unique (store, country, device, phrase);

-- A copy, like country and phrase. The owner of the tables is bound by row-level security too.
alter table keywords add column device text;
alter table keywords no force row level security;
update keywords k set device = m.device from markets m where m.id = k.market_id;
alter table keywords force row level security;
alter table keywords alter column device set not null;

-- Each device has names of its own: an app may exist on one alone.
alter table unnamed_listings add column device text;
update unnamed_listings u set device = s.devices[1] from stores s where s.store = u.store;
alter table unnamed_listings alter column device set not null;

-- A search provider may have no results of a device. A market on it has no positions then.
alter table market_gaps drop constraint market_gaps_reason_check;
alter table market_gaps add check
  (reason in ('shed', 'store_error', 'over_quota', 'not_yet_run', 'not_served'));
alter table run_counts add column not_served int not null default 0;
