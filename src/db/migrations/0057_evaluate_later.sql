-- A check that an anomaly may still turn into a gap is evaluated for alerts once none can. Null: at
-- once, as an older process writes it.
alter table pending_evaluations add column evaluate_at timestamptz;
