-- The clock at the latest grant. When it is ahead of the clock, the clock was set back, and what
-- was to come after it no longer means anything.
alter table pacing add column granted_at timestamptz;
