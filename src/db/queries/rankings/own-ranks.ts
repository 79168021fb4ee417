import { sql, type RawBuilder } from 'kysely';

/**
 * Of `keywords k` and a day: whether it was tracked then. Of two periods of a day the later one
 * counts, after its first check.
 */
export const wasTrackedOn = (day: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select (p.value->>1)::int > 0
  from jsonb_array_elements(k.tracking_periods) with ordinality as p(value, n)
  where (p.value->>0)::date <= ${day}
    and ((p.value->>0)::date < ${day} or coalesce((p.value->>2)::int, 0) >= 0)
  order by p.value->>0 desc, p.n desc limit 1)`;

/**
 * Of `keywords k` and its `imported_daily_ranks c`: whether the keyword shows a rank of this
 * instance on the imported day, which counts instead. Most imported days are from before the first
 * period, which is cheap to see.
 */
export const isReplaced = sql`(
  c.on_date >= (k.tracking_periods->0->>0)::date and exists (
    select from rank_months r
    where r.listing_id = c.listing_id and r.market_id = k.market_id
      and r.month = date_trunc('month', c.on_date)::date
      and get_byte(r.daily_ranks, extract(day from c.on_date)::int - 1) <> 0
      and ${wasTrackedOn(sql`c.on_date`)}))`;

/**
 * Of `keywords k` whose latest rank is from before it was tracked here: the provider of the import,
 * '' where its source does not say. Null for a rank of this instance.
 */
export const importedLatestProvider = sql`(
  case when k.latest_on < (k.created_at at time zone 'UTC')::date then (
    select coalesce(i.provider, '') from imported_daily_ranks i
    where i.keyword_id = k.id and i.on_date = k.latest_on) end)`;
