import { readOverview } from '../src/domain/overview/read-overview.ts';
import { listLatestCells } from '../src/domain/rankings/list-latest.ts';
import { readAppRankings } from '../src/domain/rankings/read-app-rankings.ts';
import { readDistribution } from '../src/domain/rankings/read-distribution.ts';
import { readMatrix } from '../src/domain/rankings/read-matrix.ts';
import { inTenant } from '../src/domain/context.ts';
import { recentCells } from '../src/domain/rankings/recent.ts';
import { listStandingKeywords } from '../src/db/queries/overview.ts';
import { listLatest } from '../src/db/queries/rank-months.ts';
import { addDays } from '../src/lib/dates.ts';
import { fillHistory, readerOf, scales } from '../tests/harness/history.ts';
import { openBenchDatabase } from './database.ts';
import { percentile, timeRuns, type Figure } from './figure.ts';

const lastDay = '2026-11-21';

/** Reads of stored ranks, beside a whole target of other apps' history. */
export async function* measure(): AsyncGenerator<Figure> {
  const database = await openBenchDatabase();
  try {
    await fillHistory(database.pool, { ...scales.target, lastDay });
    const quarter = await fillHistory(database.pool, { apps: 1, markets: 400, days: 90, lastDay });
    const year = await fillHistory(database.pool, {
      apps: 1,
      markets: 500,
      days: 365,
      lastDay,
      gapShare: 0.02,
    });
    await database.pool.query('vacuum analyze');
    const scale = 'target';
    const tell = (name: string, sorted: number[], share: number, goal: number | null): Figure => ({
      name,
      scale,
      measured: percentile(sorted, share),
      unit: 'ms',
      goal,
    });

    const quarterReader = readerOf(database, quarter.workspaceId, `${lastDay}T12:00:00Z`);
    const page = { afterId: 0, limit: 500, appIds: [quarter.appIds[0]!], country: null };
    const newest = await inTenant(quarterReader, (tx) =>
      timeRuns(60, () => listLatest(tx, quarter.workspaceId, page)),
    );
    yield tell('newest position of every keyword of an app (400 × 90), p50', newest, 0.5, 2);
    const latest = await timeRuns(60, () =>
      listLatestCells(quarterReader, { limit: 500, appIds: [quarter.appIds[0]!] }),
    );
    yield tell('  the same through its verb, in a transaction of its own, p50', latest, 0.5, null);

    const reader = readerOf(database, year.workspaceId, `${lastDay}T12:00:00Z`);
    const appId = year.appIds[0]!;
    const range = { from: addDays(lastDay, -364), to: lastDay };
    const matrix = await timeRuns(60, async () =>
      (await readMatrix(reader, appId, range)).giveBack(),
    );
    yield tell('a year of 500 keywords, matrix, p50', matrix, 0.5, null);
    yield tell('a year of 500 keywords, matrix, p95', matrix, 0.95, null);
    const text = await readMatrix(reader, appId, range);
    yield {
      name: 'a year of 500 keywords, matrix, JSON',
      scale,
      measured: text.bytes.length / 1024,
      unit: 'KiB',
      goal: null,
    };
    yield tell(
      'a page of 500 cells of that year, p95',
      await timeRuns(30, () => readAppRankings(reader, appId, { ...range, limit: 500 })),
      0.95,
      null,
    );
    yield tell(
      'a year of 500 keywords, distribution, p95',
      await timeRuns(30, () => readDistribution(reader, appId, range)),
      0.95,
      null,
    );
    yield tell(
      'overview of 500 keywords, p95',
      await timeRuns(30, () => readOverview(reader, appId, {})),
      0.95,
      null,
    );
    const recent = () =>
      inTenant(reader, async (tx) =>
        recentCells(tx, await listStandingKeywords(tx, year.workspaceId, appId, null), lastDay),
      );
    yield tell('sparks and changes of 500 keywords, p95', await timeRuns(30, recent), 0.95, null);
  } finally {
    await database.close();
  }
}
