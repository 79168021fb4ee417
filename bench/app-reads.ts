import { listCompetitors } from '#domain/insights/competitors/list-competitors.ts';
import { listGaps } from '#domain/insights/competitors/list-gaps.ts';
import { getCompetitorRankings } from '#domain/insights/competitors/get-competitor-rankings.ts';
import { suggestCompetitors } from '#domain/insights/competitors/suggest-competitors.ts';
import { getDistribution } from '#domain/tracking/rankings/get-distribution.ts';
import { getMovers } from '#domain/tracking/rankings/get-movers.ts';
import { listEntrants } from '#domain/tracking/serps/list-entrants.ts';
import { getLeaders } from '#domain/tracking/serps/get-leaders.ts';
import { getVisibility } from '#domain/insights/visibility/get-visibility.ts';
import { addDays } from '#lib/dates.ts';
import { mapStores } from '#stores/profiles.ts';
import { seedHistory, readerOf, scales, type History } from '#tests/harness/history.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';
import { percentile, timeRuns, type Measurement } from './measurement.ts';

const lastDay = '2026-11-21';
const competitorCount = 10;
const goalMs = 50;

/**
 * The reads of an app's pages: 1,000 keywords, 90 days and ten competitors, beside other apps'
 * history.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const database = await openBenchDatabase();
  try {
    await seedHistory(database.pool, { ...scales.target, lastDay });
    const past = await seedHistory(database.pool, {
      apps: 1,
      markets: 1_000,
      days: 90,
      lastDay,
      gapShare: 0.02,
      serpDays: 45,
    });
    const ids = await insertCompetitors(database, past);
    await database.pool.query('vacuum analyze');
    const reader = {
      ...readerOf(database, past.workspaceId, `${lastDay}T12:00:00Z`),
      stores: pagesOnly,
    };
    const appId = past.appIds[0]!;
    const quarter = { from: addDays(lastDay, -89), to: lastDay };
    const reads: [name: string, goal: number | null, run: () => Promise<unknown>][] = [
      ['movers', goalMs, () => getMovers(reader, appId, { ...quarter, limit: 50 })],
      ['distribution', goalMs, () => getDistribution(reader, appId, quarter)],
      ['visibility', goalMs, () => getVisibility(reader, appId, quarter)],
      ['gaps', goalMs, () => listGaps(reader, appId, { limit: 100 })],
      ['list of competitors', null, () => listCompetitors(reader, appId, {})],
      [
        'a page of a competitor’s positions',
        null,
        () => getCompetitorRankings(reader, { appId, id: ids[0]! }, { ...quarter, limit: 100 }),
      ],
      ['suggested competitors', null, () => suggestCompetitors(reader, appId, { limit: 20 })],
      ['leaders', null, () => getLeaders(reader, appId, { top: 10, limit: 50 })],
      ['entrants of 30 days', null, () => listEntrants(reader, appId, { top: 10, limit: 100 })],
    ];
    for (const [name, goal, run] of reads) {
      const sorted = await timeRuns(30, run);
      yield {
        name: `${name}, app of 1,000 keywords, p95`,
        scale: 'target',
        measured: percentile(sorted, 0.95),
        unit: 'ms',
        goal,
      };
    }
  } finally {
    await database.close();
  }
}

/** Listings in the stored results, with months of their own. */
async function insertCompetitors({ pool }: BenchDatabase, past: History): Promise<number[]> {
  const { rows } = await pool.query(
    `insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
       created_at)
     select $1, $2, id, $3::jsonb, $4, $4 from (select id from listings
       where name like 'Competitor %'
       order by id limit $5) l returning id`,
    [
      past.workspaceId,
      past.appIds[0],
      JSON.stringify([[past.days[0], 200]]),
      `${past.days[0]}T00:00:00Z`,
      competitorCount,
    ],
  );
  await pool.query(
    `insert into rank_months (listing_id, month, market_id, daily_ranks, depths)
     select c.listing_id, r.month, r.market_id, r.daily_ranks, r.depths from competitors c
     join apps a on a.id = c.app_id join rank_months r on r.listing_id = a.listing_id
       where c.app_id = $1`,
    [past.appIds[0]],
  );
  return rows.map((row) => row.id as number);
}

const page = { pageUrl: (storeAppId: string) => `https://example.org/${storeAppId}` };
const pagesOnly = mapStores(() => page) as unknown as ReturnType<typeof readerOf>['stores'];
