-- Attempts to get in, counted by all API processes: rejected credentials of an address, wrong passwords for an account. Whoever
-- reopens a window begins it anew; what is over is taken away by those who look. Lost in a crash: then throttles begin anew.
create unlogged table attempt_windows (
  kind text collate "C" not null,
  key text collate "C" not null,
  ends_at timestamptz not null,
  used int not null,
  primary key (kind, key)
);
create index attempt_windows_end on attempt_windows (ends_at);

-- Counts each attempt unless its window is full. All go through in one order, so that processes do not block one another for
-- good. `at` is for tests, else it is the server's time; whole milliseconds, as callers hand them back. Whoever waited for its turn
-- asked before the window began; only one that would stand for twice its length was left behind by a clock that was set back.
create function take_attempts(asks jsonb, at timestamptz)
returns table (n int, took boolean, used int, ends_ms float8, now_ms float8)
language plpgsql as $$
declare
  ask record;
  asked_at timestamptz;
  length interval;
  ends timestamptz;
begin
  for ask in
    select * from jsonb_to_recordset(asks) as a(n int, kind text, key text, most int, length_ms float8)
    order by a.kind collate "C", a.key collate "C", a.n
  loop
    length := ask.length_ms * interval '1 millisecond';
    asked_at := date_trunc('milliseconds', coalesce(at, clock_timestamp()));
    n := ask.n;
    now_ms := extract(epoch from asked_at) * 1000;
    insert into attempt_windows as w (kind, key, ends_at, used)
    values (ask.kind, ask.key, asked_at + length, 1)
    on conflict (kind, key) do update set
      ends_at = case when w.ends_at > asked_at and w.ends_at <= asked_at + 2 * length then w.ends_at else excluded.ends_at end,
      used = case when w.ends_at > asked_at and w.ends_at <= asked_at + 2 * length then w.used + 1 else 1 end
    where w.used < ask.most or w.ends_at <= asked_at or w.ends_at > asked_at + 2 * length
    returning w.used, w.ends_at into used, ends;
    took := found;
    if not took then
      select w.used, w.ends_at into used, ends from attempt_windows w where w.kind = ask.kind and w.key = ask.key;
    end if;
    ends_ms := extract(epoch from ends) * 1000;
    return next;
  end loop;
end $$;
