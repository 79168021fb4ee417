import { evaluateChangeAlerts } from '#domain/alerting/alerts/evaluate-change-alerts.ts';
import { evaluateRankAlerts } from '#domain/alerting/alerts/evaluate-rank-alerts.ts';
import { evaluateReviewAlerts } from '#domain/alerting/alerts/evaluate-review-alerts.ts';
import type { Account, TestApi } from '../harness/api.ts';
import { recordMarketSearch, insertApp, marketIdOf } from './keywords.fixtures.ts';

export interface Followed {
  appId: number;
  listingId: number;
  keywordId: number;
  marketId: number;
  /** Other listings, as many as a page of results has. */
  otherIds: number[];
}

let number = 0;

/** An app with one keyword that nobody else tracks, since the clock's day. */
export async function trackPhrase(
  api: TestApi,
  account: Account,
  given: {
    app?: { id: number; listingId: number };
    phrase?: string;
    country?: string;
    tags?: string[];
    depth?: number;
  } = {},
): Promise<Followed> {
  const app = given.app ?? (await insertApp(api, account));
  number += 1;
  const { phrase = `words ${number}`, country = 'us', tags = [], depth = 200 } = given;
  const { added } = await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { keywords: [{ phrase, country, tags, depth }] } },
    account,
  );
  const { rows } = await api.db.pool.query(
    `insert into listings (store, store_app_id, name, developer)
       select 'ios', '8' || n, 'Competitor ' || n, 'Maker' from generate_series(1, 60) n
     on conflict (store, store_app_id) do update set name = excluded.name returning id`,
  );
  return {
    appId: app.id,
    listingId: app.listingId,
    keywordId: added[0]!.id,
    marketId: await marketIdOf(api, phrase, country),
    otherIds: rows.map((row) => row.id as number),
  };
}

/**
 * The day's check: the app at `position` (null: not found) among other apps, whose order
 * may be given.
 */
export async function checkDay(
  api: TestApi,
  followed: Followed,
  day: string,
  position: number | null,
  given: { depth?: number; order?: number[]; results?: number; evaluateAt?: Date } = {},
): Promise<void> {
  const listingIds = (given.order ?? followed.otherIds).slice(0, given.results ?? 50);
  const ranked = [...listingIds, ...Array.from({ length: 150 }, (_, index) => 1_000_000 + index)];
  if (position !== null) ranked.splice(position - 1, 0, followed.listingId);
  await recordMarketSearch(api, {
    marketId: followed.marketId,
    listingIds: ranked,
    at: `${day}T03:00:00Z`,
    depth: given.depth ?? 200,
    keep: 50,
    resultCount: 200,
    ...(given.evaluateAt && { evaluateAt: given.evaluateAt }),
  });
}

/** Completes every pending evaluation. */
export async function evaluateAllAlerts(api: TestApi): Promise<void> {
  for (const evaluate of [evaluateRankAlerts, evaluateChangeAlerts, evaluateReviewAlerts])
    while ((await evaluate(api.services)) > 0);
}

export async function eventsOf(
  api: TestApi,
  account: Account,
): Promise<{ type: string; data: never; app: { id: number } | null }[]> {
  return (await api.ok('GET /events', { query: { limit: '500' } }, account)).items as never;
}
