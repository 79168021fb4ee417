import { sql } from 'kysely';
import { isScoreStale, onMarkedScore } from '#db/queries/scores/stale-scores.ts';
import { packIds, packStrengths } from '#domain/tracking/rankings/pack-serp.ts';
import type { Account, TestApi } from '../harness/api.ts';
import { endFirstChecks, insertApp, marketIdOf } from './keywords.fixtures.ts';

export interface RankedApp {
  name: string;
  ratingCount: number | null;
}

let listingNumber = 8_000_000;

/** Stored results of a day, first app first, with apps that are new. */
export async function insertSerp(
  api: TestApi,
  marketId: number,
  day: string,
  ranked: RankedApp[],
): Promise<void> {
  const { rows } = await api.db.pool.query(
    `insert into listings (store, store_app_id, name, developer)
     select 'ios', ($1::int + ordinality)::text, name, 'Maker'
       from unnest($2::text[]) with ordinality as n(name, ordinality) order by ordinality
       returning id`,
    [(listingNumber += 100), ranked.map((app) => app.name)],
  );
  const strengths = packStrengths(ranked.map(({ ratingCount }) => ({ rating: 4.5, ratingCount })));
  await api.db.pool.query(
    'insert into serps (market_id, on_date, depth, result_count, ended, provider, ids, ' +
      `strengths) values ($1, $2, 200, $3, 'exhausted', 'test', $4, $5)`,
    [marketId, day, ranked.length, packIds(rows.map((row) => row.id as number)), strengths],
  );
  await api.db.pool.query(
    'update market_schedule set checked_on = $2, completed_on = $2, urgent_at = null where ' +
      'market_id = $1',
    [marketId, day],
  );
  await sql`insert into stale_scores select ${marketId}::int
    where ${isScoreStale(sql`${marketId}::int`, day)} ${onMarkedScore}`.execute(api.db.systemDb);
  await endFirstChecks(api, marketId, day);
}

export async function insertHintEvidence(
  api: TestApi,
  marketId: number,
  day: string,
  offered: [string, number | null][],
): Promise<void> {
  await api.db.pool.query(
    `insert into hint_evidence values ($1, $2, $3)
     on conflict (market_id) do update set on_date = $2, offered = $3`,
    [marketId, day, JSON.stringify(offered)],
  );
}

/** The app's position, as the daily check stores it with the keyword. */
export async function setLatestPosition(
  api: TestApi,
  keywordId: number,
  position: number | null,
  day = '2026-11-21',
): Promise<void> {
  await api.db.pool.query(
    'update keywords set latest_on = $2, latest_position = $3, latest_depth = 200, latest_at ' +
      '= $4 where id = $1',
    [keywordId, day, position, `${day}T03:00:00Z`],
  );
}

export interface TrackedFixture {
  appId: number;
  keywordId: number;
  marketId: number;
}

/** A keyword tracked by an app of the account, through the API. */
export async function follow(
  api: TestApi,
  account: Account,
  phrase: string,
  given: { appId?: number; country?: string } = {},
): Promise<TrackedFixture> {
  const appId = given.appId ?? (await insertApp(api, account)).id;
  const country = given.country ?? 'us';
  const body = { phrases: [phrase], countries: [country] };
  const { added } = await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: appId }, body },
    account,
  );
  return { appId, keywordId: added[0]!.id, marketId: await marketIdOf(api, phrase, country) };
}

/** Ten apps with the same number of ratings, some of which have the phrase in the title. */
export function tenApps(
  phrase: string,
  { named, ratingCount }: { named: number; ratingCount: number },
): RankedApp[] {
  return Array.from({ length: 10 }, (_, index) => ({
    name: index < named ? `Brand ${index}: ${phrase}` : `Other ${index}`,
    ratingCount,
  }));
}
