import { hash } from 'node:crypto';
import { ListingCache } from '#domain/tracking/listings/listing-cache.ts';
import { checkMarket } from '#domain/tracking/rankings/check-market.ts';
import { linkToLast } from '#db/queries/serp-chains/serp-chains.ts';
import { findMarketToCheck } from '#db/queries/rankings/checks.ts';
import { recordCheck } from '#db/queries/rankings/record-check.ts';
import { encodePosition, encodeDay } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { packIds } from '#domain/tracking/rankings/pack-serp.ts';
import { dayIndexInMonth, monthOf, startOfDayMs } from '#lib/dates.ts';
import type { Account, TestApi } from '../harness/api.ts';
import { storeOptions } from '../harness/background-work.ts';

let appNumber = 1_000;

/** An app of the account's workspace; the same `storeAppId` is the same listing. */
export async function insertApp(
  api: TestApi,
  account: Pick<Account, 'workspaceId'>,
  given: { store?: 'ios' | 'android'; storeAppId?: string } = {},
): Promise<{ id: number; listingId: number }> {
  const store = given.store ?? 'ios';
  const storeAppId = given.storeAppId ?? String((appNumber += 1));
  const listing = await api.db.pool.query(
    `insert into listings (store, store_app_id, name) values ($1, $2, 'App') on conflict ` +
      `(store, store_app_id) do update set name = 'App' returning id`,
    [store, storeAppId],
  );
  const listingId = listing.rows[0].id as number;
  const app = await api.db.pool.query(
    'insert into apps (workspace_id, listing_id, primary_country, created_at) values ($1, ' +
      `$2, 'us', $3) returning id`,
    [account.workspaceId, listingId, api.clock.now()],
  );
  return { id: app.rows[0].id as number, listingId };
}

export async function marketIdOf(
  api: TestApi,
  phrase: string,
  country = 'us',
  store = 'ios',
): Promise<number> {
  const { rows } = await api.db.pool.query(
    'select id from markets where store = $1 and country = $2 and phrase = $3',
    [store, country, phrase],
  );
  return rows[0].id as number;
}

/**
 * The rows of a daily check when the store responded: these listings in this order, of
 * `resultCount` results.
 */
export async function recordMarketSearch(
  api: TestApi,
  input: {
    marketId: number;
    listingIds: number[];
    resultCount?: number;
    keep?: number;
    depth?: number;
    requests?: number;
    evaluateAt?: Date;
    at?: string;
    beforeRecord?: () => Promise<unknown>;
  },
): Promise<void> {
  const at = new Date(input.at ?? api.clock.now());
  const day = at.toISOString().slice(0, 10);
  const { rows } = await api.db.pool.query(
    'select distinct a.listing_id from keywords k join apps a on a.id = k.app_id where ' +
      'k.market_id = $1 and k.archived_at is null',
    [input.marketId],
  );
  const tracked = rows.map((row) => row.listing_id as number);
  const positions = tracked.map((id) =>
    input.listingIds.includes(id) ? input.listingIds.indexOf(id) + 1 : null,
  );
  const depth = input.depth ?? 200;
  const second = Math.floor((at.getTime() - startOfDayMs(day)) / 1000);
  const market = await findMarketToCheck(api.db.systemDb, input.marketId, day);
  const lists = {
    ids: packIds(input.listingIds.slice(0, input.keep ?? 50)),
    strengths: Buffer.alloc(0),
  };
  await input.beforeRecord?.();
  await recordCheck(api.db.systemDb, {
    marketId: input.marketId,
    store: market!.store,
    version: market!.version,
    day,
    month: monthOf(day),
    dayIndex: dayIndexInMonth(day),
    depth,
    requestedDepth: depth,
    dayBytes: encodeDay(depth, second),
    checkedAt: at,
    second,
    listingIds: tracked,
    positions,
    dailyRanks: positions.map(encodePosition),
    resultCount: input.resultCount ?? input.listingIds.length,
    ended: 'exhausted',
    ads: null,
    provider: 'test',
    language: null,
    storedIds: lists.ids,
    strengths: lists.strengths,
    link: linkToLast(market!.lastSerp, day, lists),
    requests: input.requests ?? 1,
    evaluateAt: input.evaluateAt ?? null,
  });
}

/** Reads as if another search provider had checked iOS markets since a day. */
export async function readWithOtherProvider<T>(
  api: TestApi,
  since: string,
  read: () => Promise<T>,
): Promise<T> {
  await api.db.pool.query("insert into position_series values ('ios', $1, 'other')", [since]);
  try {
    return await read();
  } finally {
    await api.db.pool.query("delete from position_series where provider = 'other'");
  }
}

/** Facts of a market that a test writes itself are visible to everybody, as after a check. */
export async function endFirstChecks(api: TestApi, marketId: number, day: string): Promise<void> {
  await api.db.pool.query(
    `update keywords set tracking_periods = jsonb_set(tracking_periods, '{-1,2}', '0')
     where market_id = $1 and tracking_periods->-1->>0 = $2
       and (tracking_periods->-1->>2)::int < 0`,
    [marketId, day],
  );
}

/** The worker's handling of a market that was searched today and has a new tracker. */
export async function backfillMarket(api: TestApi, marketId: number): Promise<void> {
  const services = { ...api.services, listingCache: new ListingCache() };
  await checkMarket(services, { marketId, day: '2026-11-21' }, storeOptions(10_000, 'interactive'));
}

/** The row count of every table with a hash of its content. */
export async function describeTables(
  api: TestApi,
  except: string[] = [],
): Promise<Record<string, string>> {
  const tables = await api.db.pool.query(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const names = tables.rows
    .map((row) => row.name as string)
    // Counts of other tables, which a background task merges.
    .filter((name) => !['migrations', 'budget_counts', 'due_counts', ...except].includes(name));
  const state = (name: string) =>
    `(select count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) from "${name}" t)`;
  // One statement, planned once per connection: it runs hundreds of times.
  const text = names
    .map((name) => `select '${name}' as name, ${state(name)} as state`)
    .join(' union all ');
  const { rows } = await api.db.pool.query({ name: `describe-${hash('sha1', text)}`, text });
  return Object.fromEntries(rows.map((row) => [row.name, row.state]));
}
