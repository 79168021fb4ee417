import { generateActions } from '#domain/insights/actions/generate-actions.ts';
import { ListingCache } from '#domain/tracking/listings/listing-cache.ts';
import { addDays } from '#lib/dates.ts';
import { registry } from '#jobs/registry.ts';
import { runBackgroundWork } from '#jobs/run-background-work.ts';
import { defaultDeviceOf, type StoreName } from '#stores/profiles.ts';
import type { Account, TestApi } from '../harness/api.ts';
import { insertDailyRank, setLatestDailyRank } from './competitors.fixtures.ts';
import { insertApp } from './keywords.fixtures.ts';

export const today = '2026-11-21';

export interface TrackedApp {
  id: number;
  listingId: number;
}

export interface TrackedKeyword {
  id: number;
  marketId: number;
  listingId: number;
}

/** An app of the account, tracked in the US since 1 October. */
export async function trackApp(
  api: TestApi,
  account: Account,
  given: { store?: 'ios' | 'android'; storeAppId?: string } = {},
): Promise<TrackedApp> {
  const app = await insertApp(api, account, given);
  await api.db.pool.query(`update apps set created_at = '2026-10-01T08:00:00Z' where id = $1`, [
    app.id,
  ]);
  return app;
}

/** A keyword tracked since a day, with the market's newest score. */
export async function trackKeyword(
  api: TestApi,
  account: Account,
  app: TrackedApp,
  given: {
    phrase: string;
    country?: string;
    since?: string;
    store?: StoreName;
    device?: string;
    traffic?: number | null;
    difficulty?: number | null;
  },
): Promise<TrackedKeyword> {
  const { phrase, country = 'us', since = '2026-10-01', store = 'ios' } = given;
  const device = given.device ?? defaultDeviceOf(store);
  const market = await api.db.pool.query(
    'insert into markets (store, country, device, phrase) values ($1, $2, $3, $4) on conflict ' +
      '(store, country, device, phrase) do update set phrase = excluded.phrase returning id',
    [store, country, device, phrase],
  );
  const marketId = market.rows[0].id as number;
  await api.db.pool.query(
    'insert into market_schedule (market_id, store, depth) values ($1, $2, 200) on conflict ' +
      'do nothing',
    [marketId, store],
  );
  const keyword = await api.db.pool.query(
    'insert into keywords (workspace_id, app_id, market_id, country, device, phrase, depth, ' +
      'tracking_periods, created_at) values ($1, $2, $3, $4, $5, $6, 200, $7, $8) returning id',
    [
      account.workspaceId,
      app.id,
      marketId,
      country,
      device,
      phrase,
      JSON.stringify([[since, 200]]),
      `${since}T00:00:00Z`,
    ],
  );
  if (given.traffic !== undefined)
    await scoreMarket(api, marketId, {
      traffic: given.traffic,
      difficulty: given.difficulty ?? 40,
    });
  return { id: keyword.rows[0].id as number, marketId, listingId: app.listingId };
}

export async function scoreMarket(
  api: TestApi,
  marketId: number,
  score: { traffic: number | null; difficulty: number | null; observedOn?: string },
): Promise<void> {
  const { traffic, difficulty, observedOn = '2026-11-20' } = score;
  await api.db.pool.query(
    `with made as (
       insert into scores (market_id, scored_at, observed_on, traffic, difficulty, formula)
       values ($1, '2026-11-20T06:00:00Z', $2, $3, $4, 'test') returning id
     )
     insert into market_scores (market_id, score_id, scored_at, observed_on, serp_on, traffic,
       difficulty, confidence)
     select $1, id, '2026-11-20T06:00:00Z', $2, $2, $3, $4, 'high' from made
     on conflict (market_id) do update set score_id = excluded.score_id,
       observed_on = excluded.observed_on, traffic = $3, difficulty = $4`,
    [marketId, observedOn, traffic, difficulty],
  );
}

/** One position a day, the last on `until`; undefined was not checked. */
export async function insertPositions(
  api: TestApi,
  keyword: TrackedKeyword,
  positions: readonly (number | null | undefined)[],
  until = today,
): Promise<void> {
  let newest: { day: string; position: number | null } | undefined;
  for (const [index, position] of positions.entries()) {
    const day = addDays(until, index + 1 - positions.length);
    if (position === undefined) continue;
    await insertDailyRank(
      api,
      { listingId: keyword.listingId, marketId: keyword.marketId, day },
      { position },
    );
    newest = { day, position };
  }
  if (newest) await setLatestDailyRank(api, keyword.id, newest.day, newest.position);
}

/** Eight days at 8 and two at 21. */
export const fallen = [8, 8, 8, 8, 8, 8, 8, 8, 21, 21];

/** An app of the account with a keyword that fell. */
export async function seedRankDrop(
  api: TestApi,
  account: Account,
  phrase = 'habit tracker',
): Promise<{ app: TrackedApp; keyword: TrackedKeyword }> {
  const app = await trackApp(api, account);
  const keyword = await trackKeyword(api, account, app, { phrase, traffic: 63 });
  await insertPositions(api, keyword, fallen);
  return { app, keyword };
}

export async function work(api: TestApi, jobId: number): Promise<void> {
  await runBackgroundWork(
    registry,
    { ...api.services, listingCache: new ListingCache() },
    { kind: 'job', jobId },
    AbortSignal.timeout(30_000),
  );
}

/** Accepts a job and runs it as the worker does. */
export async function run(api: TestApi, account: Account): Promise<number> {
  const { job } = await api.ok('POST /actions/run', null, account);
  await work(api, job.id);
  return job.id;
}

/** Generates actions again on the same day. */
export function generate(api: TestApi, account: Account): Promise<void> {
  return generateActions(api.services, account.workspaceId, AbortSignal.timeout(30_000));
}

export async function listTypes(
  api: TestApi,
  account: Account,
  status = 'open',
): Promise<string[]> {
  const { items } = await api.ok('GET /actions', { query: { state: status } }, account);
  return items.map((item) => item.type).toSorted();
}
