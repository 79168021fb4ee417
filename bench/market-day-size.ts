import { findMarketToCheck } from '#db/queries/rankings/checks.ts';
import { recordCheck } from '#db/queries/rankings/record-check.ts';
import { upsertHints } from '#db/queries/scores/scores.ts';
import { linkToLast } from '#db/queries/serp-chains/serp-chains.ts';
import { applyRetention } from '#domain/scheduling/retention/apply-retention.ts';
import { encodeDay, encodePosition } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { packIds, packStrengths } from '#domain/tracking/rankings/pack-serp.ts';
import { scoreStaleMarkets } from '#domain/insights/scores/score-markets.ts';
import type { TestClock } from '#lib/clock.ts';
import { addDays, dayIndexInMonth, listDays, monthOf, type UtcDay } from '#lib/dates.ts';
import { readerOf, seedHistory } from '#tests/harness/history.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';
import type { Measurement } from './measurement.ts';

/** With few markets the first pages of each partition weigh more than the rows. */
const plan = { apps: 2, markets: 240, days: 400 };
const lastDay: UtcDay = '2026-11-21';
const results = 50;
const secondOfCheck = 14_400;

/** The tables that grow with each market and day. */
const groups = {
  positions: ['rank_months', 'market_months'],
  results: ['serps', 'serp_months', 'last_serps'],
  scores: ['scores', 'market_scores', 'score_provenance', 'market_provenance', 'hint_evidence'],
};

/**
 * Bytes that a market and day take in the end, with all indexes, after 400 days of checks, weekly
 * scores and hints and the daily retention. Most results stay from day to day: a few apps change
 * their positions, one is new, and ratings are added. `BENCH_WHOLE=1` stores all results whole.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const database = await openBenchDatabase({ flags: { fsync: 'off' } });
  try {
    await database.pool.query('set synchronous_commit = off');
    await collect(database);
    const marketDays = plan.markets * plan.days;
    const common = { scale: 'small', unit: 'B', goal: null };
    let total = 0;
    for (const [name, names] of Object.entries(groups)) {
      const sizes = await readSizes(database, names, marketDays);
      const sum = sizes.reduce((all, { rows, indexes }) => all + rows + indexes, 0);
      total += sum;
      yield { ...common, name: `bytes a market-day, ${name}`, measured: sum };
      for (const { table, rows, indexes } of sizes) {
        yield { ...common, name: `  ${table}, rows`, measured: rows };
        yield { ...common, name: `  ${table}, indexes`, measured: indexes };
      }
    }
    const all = 'bytes a market-day, all of these';
    yield { name: all, scale: 'small', measured: total, unit: 'B', goal: 150 };
  } finally {
    await database.close();
  }
}

async function collect(database: BenchDatabase): Promise<void> {
  const history = await seedHistory(database.pool, { ...plan, lastDay, fill: 'none' });
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into listings (store, store_app_id, name, developer)
     select 'ios', 'size' || n, 'App ' || n, 'Maker ' || n from generate_series(1, 2000) n
     returning id`,
  );
  const markets = history.keywords.map(({ marketId, listingId }, index) => ({
    marketId,
    listingId,
    apps: startApps(
      rows.map(({ id }) => id),
      index,
    ),
  }));
  const services = { ...readerOf(database, 1, `${lastDay}T12:00:00Z`) };
  const clock = services.clock as TestClock;
  for (const day of listDays(addDays(lastDay, 1 - plan.days), lastDay)) {
    clock.set(`${day}T12:00:00Z`);
    await Promise.all(markets.map((market) => check(database, market, day)));
    for (const { marketId } of markets)
      if (dayIndexInMonth(day) % 7 === marketId % 7)
        await upsertHints(database.systemDb, { marketId, day, offered: hintsOf(marketId, day) });
    while ((await scoreStaleMarkets(services)) > 0);
    while ((await applyRetention(services, new AbortController().signal)) > 0);
    // In a week of a real instance autovacuum does it; here a week takes seconds.
    if (dayIndexInMonth(day) % 7 === 0) await database.pool.query('vacuum');
  }
  await database.pool.query('vacuum');
}

interface Market {
  marketId: number;
  listingId: number;
  apps: { id: number; ratingCount: number }[];
}

let seed = 11;
const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;

const startApps = (ids: readonly number[], index: number) =>
  Array.from({ length: results + 40 }, (_, at) => ({
    id: ids[(index * 31 + at * 7) % ids.length]!,
    ratingCount: random(200_000),
  }));

/** Five apps move by a few positions, one is replaced, and ratings are added. */
function change({ apps }: Market): void {
  for (let moves = 0; moves < 5; moves += 1) {
    const from = random(results);
    apps.splice(Math.max(0, from + random(7) - 3), 0, ...apps.splice(from, 1));
  }
  apps.push(...apps.splice(25 + random(25), 1));
  for (const app of apps) app.ratingCount += random(2) * random(40);
}

async function check(database: BenchDatabase, market: Market, day: UtcDay): Promise<void> {
  change(market);
  const top = market.apps.slice(0, results);
  const lists = {
    ids: packIds(top.map(({ id }) => id)),
    strengths: packStrengths(top.map(({ ratingCount }) => ({ rating: 4.5, ratingCount }))),
  };
  const { marketId, listingId } = market;
  const found = (await findMarketToCheck(database.systemDb, marketId, day))!;
  const isWhole = process.env.BENCH_WHOLE === '1';
  const position = 1 + ((marketId + dayIndexInMonth(day)) % 40);
  await recordCheck(database.systemDb, {
    marketId,
    store: found.store,
    version: found.version,
    day,
    month: monthOf(day),
    dayIndex: dayIndexInMonth(day),
    depth: 200,
    requestedDepth: 200,
    dayBytes: encodeDay(200, secondOfCheck),
    checkedAt: new Date(`${day}T04:00:00Z`),
    second: secondOfCheck,
    listingIds: [listingId],
    positions: [position],
    dailyRanks: [encodePosition(position)],
    resultCount: 200,
    ended: 'depth',
    provider: found.provider,
    language: 'en',
    storedIds: lists.ids,
    strengths: lists.strengths,
    link: isWhole ? null : linkToLast(found.lastSerp, day, lists),
    ads: null,
    requests: 2,
    evaluateAt: null,
  });
}

const hintsOf = (marketId: number, day: UtcDay): [string, number | null][] =>
  Array.from({ length: 12 }, (_, at) => [
    'a phrase to type'.slice(0, at + 3),
    at < 4 ? null : 1 + ((marketId + dayIndexInMonth(day)) % 10),
  ]);

interface TableSize {
  table: string;
  /** Bytes for each market and day. */
  rows: number;
  indexes: number;
}

/** All partitions of a table together. */
async function readSizes(
  { pool }: BenchDatabase,
  names: readonly string[],
  marketDays: number,
): Promise<TableSize[]> {
  const { rows } = await pool.query<TableSize>(
    `select coalesce(p.relname, c.relname) as table,
       sum(pg_relation_size(c.oid)
         + coalesce(pg_relation_size(nullif(c.reltoastrelid, 0)), 0))::float8 / $2 as rows,
       sum(pg_indexes_size(c.oid))::float8 / $2 as indexes
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid
       left join pg_class p on p.oid = i.inhparent
     where c.relkind = 'r' and coalesce(p.relname, c.relname) = any($1) group by 1 order by 1`,
    [names, marketDays],
  );
  return rows;
}
