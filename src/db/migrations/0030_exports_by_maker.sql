-- New files replace older ones of the same maker only: a user, or one of the read-only tokens. A
-- read-only token that replaced others' files would change data.
alter table exports add column maker text not null default '';
