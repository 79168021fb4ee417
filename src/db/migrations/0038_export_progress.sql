-- An export continues where its process died: with the apps of its snapshot, after the chunks and
-- the parts that were written. Null until the tables of the workspace are written.
alter table exports add column apps jsonb, add column written jsonb;
