-- The values that a listing's last reading lacked although they were there before, and its day.
-- They count when the reading of a later day lacks them too. A failed reading in between says
-- nothing, so they are apart from the marker of the last failure.
alter table listing_schedule add column lost_on date,
  add column lost_fields text[] not null default '{}';
alter table store_tasks add column lost_on date,
  add column lost_fields text[] not null default '{}';
