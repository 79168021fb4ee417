import { getOverview } from '#domain/insights/overview/get-overview.ts';
import { listLatestDailyRanks } from '#domain/tracking/rankings/list-latest.ts';
import { getAppRankings } from '#domain/tracking/rankings/get-app-rankings.ts';
import { getDistribution } from '#domain/tracking/rankings/get-distribution.ts';
import { getMatrix } from '#domain/tracking/rankings/get-matrix.ts';
import { inTenant } from '#domain/base/context.ts';
import { loadRecentRanks } from '#domain/tracking/rankings/recent-ranks.ts';
import { listOverviewKeywords } from '#db/queries/overview/overview.ts';
import { listLatest } from '#db/queries/rankings/rank-months.ts';
import { addDays } from '#lib/dates.ts';
import { seedHistory, readerOf, scales } from '#tests/harness/history.ts';
import { openBenchDatabase } from './database.ts';
import { percentile, timeRuns, type Measurement } from './measurement.ts';

const lastDay = '2026-11-21';

/** Reads of stored ranks, beside a whole target of other apps' history. */
export async function* measure(): AsyncGenerator<Measurement> {
  const database = await openBenchDatabase();
  try {
    await seedHistory(database.pool, { ...scales.target, lastDay });
    const quarter = await seedHistory(database.pool, { apps: 1, markets: 400, days: 90, lastDay });
    const year = await seedHistory(database.pool, {
      apps: 1,
      markets: 500,
      days: 365,
      lastDay,
      gapShare: 0.02,
    });
    await database.pool.query('vacuum analyze');
    const scale = 'target';
    const describe = (
      name: string,
      sorted: number[],
      share: number,
      goal: number | null,
    ): Measurement => ({
      name,
      scale,
      measured: percentile(sorted, share),
      unit: 'ms',
      goal,
    });

    const quarterReader = readerOf(database, quarter.workspaceId, `${lastDay}T12:00:00Z`);
    const page = {
      afterId: 0,
      limit: 500,
      appIds: [quarter.appIds[0]!],
      country: null,
      device: null,
    };
    const newest = await inTenant(quarterReader, (tx) =>
      timeRuns(60, () => listLatest(tx, quarter.workspaceId, page)),
    );
    yield describe('newest position of every keyword of an app (400 × 90), p50', newest, 0.5, 2);
    const latest = await timeRuns(60, () =>
      listLatestDailyRanks(quarterReader, { limit: 500, appIds: [quarter.appIds[0]!] }),
    );
    yield describe(
      '  the same through its verb, in a transaction of its own, p50',
      latest,
      0.5,
      null,
    );

    const reader = readerOf(database, year.workspaceId, `${lastDay}T12:00:00Z`);
    const appId = year.appIds[0]!;
    const range = { from: addDays(lastDay, -364), to: lastDay };
    const matrix = await timeRuns(60, async () =>
      (await getMatrix(reader, appId, range)).release(),
    );
    yield describe('a year of 500 keywords, matrix, p50', matrix, 0.5, null);
    yield describe('a year of 500 keywords, matrix, p95', matrix, 0.95, null);
    const text = await getMatrix(reader, appId, range);
    yield {
      name: 'a year of 500 keywords, matrix, JSON',
      scale,
      measured: text.bytes.length / 1024,
      unit: 'KiB',
      goal: null,
    };
    yield describe(
      'a page of 500 cells of that year, p95',
      await timeRuns(30, () => getAppRankings(reader, appId, { ...range, limit: 500 })),
      0.95,
      null,
    );
    yield describe(
      'a year of 500 keywords, distribution, p95',
      await timeRuns(30, () => getDistribution(reader, appId, range)),
      0.95,
      null,
    );
    yield describe(
      'overview of 500 keywords, p95',
      await timeRuns(30, () => getOverview(reader, appId, {})),
      0.95,
      null,
    );
    const recent = () =>
      inTenant(reader, async (tx) =>
        loadRecentRanks(
          tx,
          await listOverviewKeywords(tx, year.workspaceId, { appId, country: null, device: null }),
          lastDay,
        ),
      );
    yield describe(
      'sparks and changes of 500 keywords, p95',
      await timeRuns(30, recent),
      0.95,
      null,
    );
  } finally {
    await database.close();
  }
}
