import { defaultDeviceOf } from '#stores/profiles.ts';
import type { Account, TestApi } from '../harness/api.ts';
import { insertApp } from './keywords.fixtures.ts';

export interface GivenReview {
  storeReviewId?: string;
  country?: string;
  rating?: number;
  title?: string | null;
  body?: string;
  version?: string | null;
  language?: string | null;
  reviewedAt?: string | null;
  /** The instant of the clock by default. */
  firstSeenAt?: string;
  editedAt?: string | null;
  reply?: string | null;
}

export interface ReviewedApp {
  id: number;
  listingId: number;
}

/** An app tracked since `since` in the US; `countries` have keywords since the same day. */
export async function insertTrackedApp(
  api: TestApi,
  account: Account,
  given: {
    store?: 'ios' | 'android';
    storeAppId?: string;
    since?: string;
    countries?: string[];
  } = {},
): Promise<ReviewedApp> {
  const app = await insertApp(api, account, given);
  const since = given.since ?? '2026-09-01';
  await api.db.pool.query('update apps set created_at = $2 where id = $1', [
    app.id,
    `${since}T08:00:00Z`,
  ]);
  const { store = 'ios' } = given;
  const device = defaultDeviceOf(store);
  for (const country of given.countries ?? []) {
    const market = await api.db.pool.query(
      `insert into markets (store, country, device, phrase) values ($1, $2, $3, 'words') on ` +
        `conflict (store, country, device, phrase) do update set phrase = 'words' returning id`,
      [store, country, device],
    );
    await api.db.pool.query(
      'insert into keywords (workspace_id, app_id, market_id, country, device, phrase, depth, ' +
        "tracking_periods, created_at) values ($1, $2, $3, $4, $5, 'words', 200, $6, $7)",
      [
        account.workspaceId,
        app.id,
        market.rows[0].id,
        country,
        device,
        JSON.stringify([[since, 200]]),
        `${since}T08:00:00Z`,
      ],
    );
  }
  return app;
}

let reviewNumber = 0;

/** Stored reviews of the listing; returns their ids in the given order. */
export async function insertReviews(
  api: TestApi,
  app: ReviewedApp,
  reviews: GivenReview[],
): Promise<number[]> {
  const ids: number[] = [];
  for (const given of reviews) {
    reviewNumber += 1;
    const at = given.reviewedAt === undefined ? '2026-11-20T10:00:00Z' : given.reviewedAt;
    const { rows } = await api.db.pool.query(
      `insert into reviews (listing_id, country, store_review_id, author, rating, title, body,
         version, language, reviewed_at, first_seen_at, edited_at, reply)
       values ($1, $2, $3, 'Ana', $4, $5, $6, $7, $8, $9, $10, $11, $12)
       returning id::float8 as id`,
      [
        app.listingId,
        given.country ?? 'us',
        given.storeReviewId ?? `review-${reviewNumber}`,
        given.rating ?? 5,
        given.title ?? null,
        given.body ?? 'words',
        given.version ?? null,
        given.language ?? 'en',
        at,
        given.firstSeenAt ?? api.clock.now(),
        given.editedAt ?? null,
        given.reply ?? null,
      ],
    );
    ids.push(rows[0].id as number);
  }
  return ids;
}

/** The rows that a completed fetch leaves. */
export async function insertCoverage(
  api: TestApi,
  app: ReviewedApp,
  given: {
    country?: string;
    syncedAt?: string;
    knownFrom?: string | null;
    exceededAt?: string | null;
  } = {},
): Promise<void> {
  await api.db.pool.query(
    `insert into review_coverage (listing_id, country, synced_at, known_from, exceeded_at)
       values ($1, $2, $3, $4, $5)
     on conflict (listing_id, country) do update
       set synced_at = excluded.synced_at, known_from = excluded.known_from,
       exceeded_at = excluded.exceeded_at, is_evaluated = false`,
    [
      app.listingId,
      given.country ?? 'us',
      given.syncedAt ?? '2026-11-21T09:00:00Z',
      given.knownFrom ?? null,
      given.exceededAt ?? null,
    ],
  );
}
