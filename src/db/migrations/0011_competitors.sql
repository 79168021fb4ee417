-- Another listing an app is compared with; archived, never erased, so that its past is not lost.
-- `terms` is [[day, depth], ...] as keywords have them: whole days on which its places are looked for; 0 from the day it is put away.
-- The day it was added on begins at `followed_at`: what was searched before that was searched without it.
create table competitors (
  id int generated always as identity primary key,
  workspace_id int not null references workspaces on delete cascade,
  app_id int not null references apps on delete cascade,
  listing_id int not null references listings,
  relationship text,
  note text,
  terms jsonb not null,
  followed_at timestamptz not null,
  created_at timestamptz not null,
  tracked_since timestamptz,               -- as that of apps
  archived_at timestamptz,
  unique (app_id, listing_id)
);
create index competitors_listing on competitors (listing_id);
create index competitors_workspace on competitors (workspace_id, app_id);
select lock_tenant('competitors');
