import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface ComparedMarket {
  marketId: number;
  store: StoreName;
  day: string;
  a: string;
  b: string;
  common: number;
  medianDistance: number | null;
  correlation: number | null;
}

export async function insertComparison(db: Db, compared: ComparedMarket): Promise<void> {
  const { marketId, store, day, a, b, common, medianDistance, correlation } = compared;
  await sql`/* insert-comparison */
    insert into provider_comparisons
      (market_id, on_date, store, a, b, common, median_distance, correlation)
    values (${marketId}, ${day}, ${store}, ${a}, ${b}, ${common}, ${medianDistance},
      ${correlation})
    on conflict (on_date, market_id) do nothing`.execute(db);
}

export interface SampledDistance {
  store: StoreName;
  a: string;
  b: string;
  from: string;
  to: string;
  markets: number;
  medianDistance: number | null;
  correlation: number | null;
}

/** The sampled markets of some days together, by store and pair of providers. */
export async function sumComparisons(
  tx: Tx,
  { from, to }: { from: string; to: string },
): Promise<SampledDistance[]> {
  const { rows } = await sql<
    Row<'sum-comparisons', SampledDistance, 'store' | 'from' | 'to'>
  >`/* sum-comparisons */
    select store, a, b, min(on_date) as from, max(on_date) as to, count(*)::int as markets,
      round(percentile_cont(0.5) within group (order by median_distance)::numeric, 3)::float8
        as "medianDistance",
      round(percentile_cont(0.5) within group (order by correlation)::numeric, 3)::float8
        as correlation
    from provider_comparisons where on_date between ${from}::date and ${to}::date
    group by store, a, b order by store, a, b`.execute(tx);
  return rows;
}

/** The same for each of some days. */
export async function listComparisonDays(
  tx: Tx,
  days: readonly string[],
): Promise<(Omit<SampledDistance, 'from' | 'to'> & { date: string })[]> {
  const { rows } = await sql<
    Row<'comparison-days', Omit<SampledDistance, 'from' | 'to'> & { date: string }, 'store'>
  >`/* comparison-days */
    select on_date as date, store, a, b, count(*)::int as markets,
      round(percentile_cont(0.5) within group (order by median_distance)::numeric, 3)::float8
        as "medianDistance",
      round(percentile_cont(0.5) within group (order by correlation)::numeric, 3)::float8
        as correlation
    from provider_comparisons where on_date = any(${[...days]}::date[])
    group by on_date, store, a, b order by store, a, b`.execute(tx);
  return rows;
}
