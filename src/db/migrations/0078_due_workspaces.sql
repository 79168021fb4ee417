-- Two tasks that run every minute read the workspaces for which something may be due, not all.
-- Compatible with 0.4.0: the columns have defaults, and its processes read neither.

-- The instant from which the weekly digest has to be considered: at once after a change of its day
-- or hour.
alter table workspaces add column digest_at timestamptz not null default '-infinity';
create index workspaces_by_digest on workspaces (digest_at) where state <> 'suspended';

-- The last day whose actions were generated after its checks.
alter table workspaces add column actions_on date not null default '-infinity';
create index workspaces_by_actions on workspaces (actions_on) where state <> 'suspended';

create function reconsider_digest() returns trigger language plpgsql as $$
begin
  update workspaces set digest_at = '-infinity'
  where id = new.workspace_id and digest_at > '-infinity';
  return null;
end;
$$;
create trigger digest_time_inserted after insert on settings for each row
execute function reconsider_digest();
create trigger digest_time_updated after update on settings for each row
when ((old.settings->'digestDay', old.settings->'digestHour')
  is distinct from (new.settings->'digestDay', new.settings->'digestHour'))
execute function reconsider_digest();
