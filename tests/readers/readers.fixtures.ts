import pg from 'pg';
import { createReader } from '#db/readers/create-reader.ts';
import { revokeReader } from '#db/readers/revoke-reader.ts';
import {
  withTrackingPeriod,
  type TrackingPeriod,
} from '#domain/tracking/rankings/tracking-periods.ts';
import { addDays, monthOf, utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { TestDatabase } from '../harness/database.ts';

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.DATE, (text) => text);

export interface TestReader {
  login: string;
  password: string;
  connect(): Promise<pg.Client>;
  revoke(): Promise<void>;
}

/** A login of the workspace. Logins belong to the whole server, so a test revokes it. */
export async function makeReader(db: TestDatabase, workspaceId: number): Promise<TestReader> {
  const { login, password } = await createReader(db.url, {
    workspaceId,
    label: 'test',
    login: null,
    now: new Date(),
  });
  return {
    login,
    password: password!,
    connect: () => connectAs(db.url, login, password!),
    revoke: async () => {
      await revokeReader(db.url, login, new Date());
    },
  };
}

export async function connectAs(url: string, user: string, password: string): Promise<pg.Client> {
  const { pathname, searchParams, port } = new URL(url);
  const client = new pg.Client({
    host: searchParams.get('host') ?? '127.0.0.1',
    port: Number(port),
    database: pathname.slice(1),
    user,
    password,
    types,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export type Random = (below: number) => number;

/** Repeatable: the seed is in the name of the test. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The life of a keyword: added, deepened, paused, over the plan's limit, resumed. */
function randomPeriods(random: Random, from: UtcDay, to: UtcDay): TrackingPeriod[] {
  let periods: TrackingPeriod[] = [];
  let day = addDays(from, random(20));
  while (day <= to) {
    const depth = [200, 50, 10, 100, 0, -1][random(6)]!;
    const since = depth > 0 && random(3) === 0 ? random(86_400) : null;
    periods = withTrackingPeriod(periods, day, depth, since);
    const last = periods.at(-1)!;
    // Its own check came.
    if (last[1] > 0 && random(2) === 0 && (last[2] ?? 0) <= 0)
      periods = [...periods.slice(0, -1), [last[0], last[1], random(86_400)]];
    day = addDays(day, random(4) === 0 ? 0 : random(30));
    if (periods.length > 8) break;
  }
  return periods.length > 0 ? periods : [[from, 200]];
}

export interface World {
  /** By workspace, live or archived, with the apps that exist. */
  keywordIds: Map<number, number[]>;
  appIds: Map<number, number[]>;
}

/**
 * Two workspaces that track the same markets from different days, with everything that a day can
 * have: positions, results without the app, gaps, fallbacks, imports and two search providers.
 */
export async function fillWorld(
  pool: pg.Pool,
  workspaceIds: readonly number[],
  { random, now }: { random: Random; now: Date },
): Promise<World> {
  const today = utcDayOf(now);
  const from = addDays(today, -70);
  const months = [...new Set([from, addDays(from, 31), today].map(monthOf))];
  const insert = async (text: string, values: unknown[]): Promise<number> =>
    (await pool.query<{ id: number }>(text, values)).rows[0]!.id;

  const listings: number[] = [];
  const markets: { id: number; phrase: string; device: string }[] = [];
  for (let number = 1; number <= 3; number += 1)
    listings.push(
      await insert(
        `insert into listings (store, store_app_id, name, named_in) values ('ios', $1, $2, 'us')
         returning id`,
        [String(9_000 + number), `App ${number}`],
      ),
    );
  for (let number = 1; number <= 8; number += 1) {
    const [phrase, device] = [`phrase ${number}`, number % 3 === 0 ? 'ipad' : 'iphone'];
    const id = await insert(
      `insert into markets (store, country, device, phrase) values ('ios', 'us', $1, $2)
       returning id`,
      [device, phrase],
    );
    markets.push({ id, phrase, device });
  }
  await pool.query(
    `insert into position_series (store, from_day, provider) values ('ios', $1, 'other')`,
    [addDays(today, -20)],
  );
  for (const { id } of markets)
    await fillMarket(pool, id, { random, months, from, today, listings });

  const world: World = { keywordIds: new Map(), appIds: new Map() };
  for (const workspaceId of workspaceIds) {
    const ids: number[] = [];
    const appIds: number[] = [];
    for (const listingId of listings.slice(0, 2)) {
      const appId = await insert(
        `insert into apps (workspace_id, listing_id, primary_country, created_at)
         values ($1, $2, 'us', $3) returning id`,
        [workspaceId, listingId, `${from}T08:30:00Z`],
      );
      appIds.push(appId);
      for (const market of markets) {
        const keywordId = await insert(
          `insert into keywords (workspace_id, app_id, market_id, country, phrase, device, depth,
             tracking_periods, created_at, archived_at)
           values ($1, $2, $3, 'us', $4, $5, 200, $6, $7, $8) returning id`,
          [
            workspaceId,
            appId,
            market.id,
            market.phrase,
            market.device,
            JSON.stringify(randomPeriods(random, from, today)),
            now,
            random(8) === 0 ? now : null,
          ],
        );
        ids.push(keywordId);
        await importRanks(pool, { workspaceId, keywordId, listings, from, random });
      }
    }
    world.keywordIds.set(workspaceId, ids);
    world.appIds.set(workspaceId, appIds);
  }
  return world;
}

interface MarketFacts {
  random: Random;
  months: UtcDay[];
  from: UtcDay;
  today: UtcDay;
  listings: number[];
}

async function fillMarket(
  pool: pg.Pool,
  marketId: number,
  { random, months, from, today, listings }: MarketFacts,
): Promise<void> {
  const rank = () => [0, 255, 1 + random(200), 1 + random(200)][random(4)]!;
  for (const month of months) {
    for (const listingId of listings) {
      if (random(6) === 0) continue;
      const ranks = Buffer.from(Array.from({ length: 31 }, rank));
      const depths = Buffer.from(Array.from(ranks, (byte) => (byte === 0 ? 0 : 1 + random(200))));
      await pool.query(
        `insert into rank_months (listing_id, month, market_id, daily_ranks, depths)
         values ($1, $2, $3, $4, $5)`,
        [listingId, month, marketId, ranks, depths],
      );
    }
    if (random(5) === 0) continue;
    const days = Buffer.alloc(124);
    for (let day = 0; day < 31; day += 1)
      if (random(4) > 0)
        days.writeUInt32BE((1 + random(200)) * 0x1_00_00_00 + random(95_000), day * 4);
    await pool.query('insert into market_months (market_id, month, days) values ($1, $2, $3)', [
      marketId,
      month,
      days,
    ]);
  }
  for (let day = from; day <= today; day = addDays(day, 1)) {
    if (random(3) > 0) continue;
    const reason = ['shed', 'store_error', 'over_quota', 'not_yet_run', 'not_served'][random(5)];
    await pool.query('insert into market_gaps (market_id, on_date, reason) values ($1, $2, $3)', [
      marketId,
      day,
      reason,
    ]);
    if (random(2) > 0) continue;
    const depth = 1 + random(200);
    const found = listings.filter(() => random(3) > 0);
    await pool.query(
      `insert into fallback_checks (market_id, on_date, provider, depth, checked_at, result_count,
         ended, ids, listing_ids, positions)
       values ($1, $2, 'other', $3, $4, 10, 'depth', '', $5, $6)`,
      [
        marketId,
        day,
        depth,
        `${day}T10:11:12.345Z`,
        found,
        found.map(() => (random(3) === 0 ? null : 1 + random(depth))),
      ],
    );
  }
}

async function importRanks(
  pool: pg.Pool,
  of: {
    workspaceId: number;
    keywordId: number;
    listings: number[];
    from: UtcDay;
    random: Random;
  },
): Promise<void> {
  const { random, from } = of;
  for (let offset = -10; offset < 60; offset += 1) {
    if (random(4) > 0) continue;
    const [day, depth] = [addDays(from, offset), 1 + random(200)];
    await pool.query(
      `insert into imported_daily_ranks (workspace_id, keyword_id, listing_id, on_date, position,
         depth, checked_at, provider)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        of.workspaceId,
        of.keywordId,
        of.listings[random(5) === 0 ? 2 : random(2)],
        day,
        random(3) === 0 ? null : 1 + random(depth),
        depth,
        random(3) === 0 ? null : `${day}T0${random(9)}:00:00.600Z`,
        random(3) === 0 ? null : 'elsewhere',
      ],
    );
  }
}
