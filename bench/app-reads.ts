import { listCompetitors } from '../src/domain/competitors/list-competitors.ts';
import { readGaps } from '../src/domain/competitors/read-gaps.ts';
import { readRivalRankings } from '../src/domain/competitors/read-rival-rankings.ts';
import { suggestCompetitors } from '../src/domain/competitors/suggest-competitors.ts';
import { readDistribution } from '../src/domain/rankings/read-distribution.ts';
import { readMovers } from '../src/domain/rankings/read-movers.ts';
import { readEntrants } from '../src/domain/serps/read-entrants.ts';
import { readLeaders } from '../src/domain/serps/read-leaders.ts';
import { readVisibility } from '../src/domain/visibility/read-visibility.ts';
import { addDays } from '../src/lib/dates.ts';
import { fillHistory, readerOf, scales, type History } from '../tests/harness/history.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';
import { percentile, timeRuns, type Figure } from './figure.ts';

const lastDay = '2026-11-21';
const rivalCount = 10;
const goalMs = 50;

/** What an app's pages read: 1,000 keywords, 90 days, ten competitors that are looked for too, beside other apps' history. */
export async function* measure(): AsyncGenerator<Figure> {
  const database = await openBenchDatabase();
  try {
    await fillHistory(database.pool, { ...scales.target, lastDay });
    const past = await fillHistory(database.pool, {
      apps: 1,
      markets: 1_000,
      days: 90,
      lastDay,
      gapShare: 0.02,
      serpDays: 45,
    });
    const ids = await insertRivals(database, past);
    await database.pool.query('vacuum analyze');
    const reader = {
      ...readerOf(database, past.workspaceId, `${lastDay}T12:00:00Z`),
      stores: pagesOnly,
    };
    const appId = past.appIds[0]!;
    const quarter = { from: addDays(lastDay, -89), to: lastDay };
    const reads: [name: string, goal: number | null, run: () => Promise<unknown>][] = [
      ['movers', goalMs, () => readMovers(reader, appId, { ...quarter, limit: 50 })],
      ['distribution', goalMs, () => readDistribution(reader, appId, quarter)],
      ['visibility', goalMs, () => readVisibility(reader, appId, quarter)],
      ['gaps', goalMs, () => readGaps(reader, appId, { limit: 100 })],
      ['list of competitors', null, () => listCompetitors(reader, appId, {})],
      [
        'a page of a competitor’s places',
        null,
        () => readRivalRankings(reader, { appId, id: ids[0]! }, { ...quarter, limit: 100 }),
      ],
      ['suggested competitors', null, () => suggestCompetitors(reader, appId, { limit: 20 })],
      ['leaders', null, () => readLeaders(reader, appId, { top: 10, limit: 50 })],
      ['entrants of 30 days', null, () => readEntrants(reader, appId, { top: 10, limit: 100 })],
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

/** Listings that stand in the kept places, with months of their own. */
async function insertRivals({ pool }: BenchDatabase, past: History): Promise<number[]> {
  const { rows } = await pool.query(
    `insert into competitors (workspace_id, app_id, listing_id, terms, followed_at, created_at)
     select $1, $2, id, $3::jsonb, $4, $4 from (select id from listings where name like 'Rival %' order by id limit $5) l returning id`,
    [
      past.workspaceId,
      past.appIds[0],
      JSON.stringify([[past.days[0], 200]]),
      `${past.days[0]}T00:00:00Z`,
      rivalCount,
    ],
  );
  await pool.query(
    `insert into rank_months (listing_id, month, market_id, cells, depths)
     select c.listing_id, r.month, r.market_id, r.cells, r.depths from competitors c
     join apps a on a.id = c.app_id join rank_months r on r.listing_id = a.listing_id where c.app_id = $1`,
    [past.appIds[0]],
  );
  return rows.map((row) => row.id as number);
}

const page = { pageUrl: (storeAppId: string) => `https://example.org/${storeAppId}` };
const pagesOnly = { ios: page, android: page } as unknown as ReturnType<typeof readerOf>['stores'];
