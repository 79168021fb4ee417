import { execFileSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { createToken } from '#domain/accounts/tokens/tokens.ts';
import { addDays, monthOf, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { findServerLocation } from '#embedded-postgres/server-location.ts';
import { createWorld } from '#simulator/world/world.ts';
import { simulatedStores } from '#simulator/stores.ts';
import { mapStores, storeNames } from '#stores/profiles.ts';
import { readerOf } from '#tests/harness/history.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';
import { fillGrowthFiles, growthScales, type GrowthScale } from './growth-database.ts';

const readerCount = 100;
/** One of so many keywords was in the results until yesterday. */
const rankedEvery = 20;

/** A workspace that reads, and one of its apps. */
export interface Reader {
  token: string;
  appId: number;
}

export interface DueDatabase extends BenchDatabase {
  /** The apps of each store in the simulator's world: those of the listings. */
  catalogueApps: number;
}

/** A copy of the growth database in which everything was done yesterday and is due today. */
export async function openDueDatabase(scale: GrowthScale): Promise<DueDatabase> {
  const filled = await fillGrowthFiles(scale);
  const dataDir = join(dirname(filled), 'due');
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir);
  // With the owners of its files.
  execFileSync('cp', ['-a', `${(await findServerLocation(filled)).home}/.`, dataDir]);
  const database = await openBenchDatabase({ dataDir });
  const close = async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  const catalogueApps = growthScales[scale].workspaces * 15;
  try {
    await makeDue(database.pool, utcDayOf(new Date()));
    await nameListings(database.pool, catalogueApps);
    await database.pool.query('vacuum analyze');
    return { ...database, close, catalogueApps };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeDue(pool: pg.Pool, today: UtcDay): Promise<void> {
  const yesterday = addDays(today, -1);
  const month = monthOf(yesterday);
  const statements: [string, unknown[]][] = [
    // Without a usual length: not every search of the simulator has as many results.
    [
      'update market_schedule set checked_on = $1, completed_on = $1, usual_results = null',
      [yesterday],
    ],
    ['update listing_schedule set refreshed_on = $1, completed_on = $1', [yesterday]],
    ['update store_tasks set read_on = $1, completed_on = $1', [yesterday]],
    [
      `insert into runs (date, opened_at, finished_at, state)
       values ($1, $1::date + time '02:00' at time zone 'UTC',
         $1::date + time '09:00' at time zone 'UTC', 'finished') on conflict do nothing`,
      [yesterday],
    ],
    ['delete from runs where date <> $1', [yesterday]],
    ['insert into counted_days values ($1) on conflict do nothing', [yesterday]],
    [`update sent_digests set week = date_trunc('week', $1::date)::date - 7`, [today]],
    ['update workspaces set actions_on = $1', [yesterday]],
    [
      `update keywords set latest_on = $1,
         latest_position = case when id % $2 = 0 then 1 + id % 150 end`,
      [yesterday, rankedEvery],
    ],
    // Of each day: the position, or 255 beyond the results.
    [
      `insert into rank_months (listing_id, month, market_id, daily_ranks, depths)
       select a.listing_id, $1, k.market_id,
         decode(repeat(case when k.id % $2 = 0 then lpad(to_hex(1 + k.id % 150), 2, '0')
           else 'ff' end, 31), 'hex'), decode(repeat('c8', 31), 'hex')
       from keywords k join apps a on a.id = k.app_id
       order by a.listing_id, k.market_id
       on conflict (listing_id, month, market_id) do update
         set daily_ranks = excluded.daily_ranks`,
      [month, rankedEvery],
    ],
  ];
  await pool.query('set synchronous_commit = off');
  for (const [statement, values] of statements) await pool.query(statement, values);
}

/** Gives listings the ids of apps that the simulated stores know. */
async function nameListings(pool: pg.Pool, apps: number): Promise<void> {
  const traits = mapStores(({ id }) => simulatedStores[id].traits);
  const { catalogues } = createWorld(1, traits, { apps });
  for (const store of storeNames)
    await pool.query(
      `update listings l set store_app_id = known.id
       from (select id, row_number() over (order by id) as number from listings
         where store = $1) numbered
         join unnest($2::text[]) with ordinality as known(id, number) using (number)
       where l.id = numbered.id`,
      [store, [...catalogues[store].byId.keys()]],
    );
}

/** Workspaces of all sizes. */
export async function createReaders(
  database: BenchDatabase,
  workspaces: number,
): Promise<Reader[]> {
  const readers: Reader[] = [];
  for (let number = 0; number < readerCount; number += 1) {
    const workspaceId = 1 + Math.floor((number * workspaces) / readerCount);
    const reader = readerOf(database, workspaceId, new Date().toISOString());
    const { secret } = await createToken(
      { ...reader, actor: { ...reader.actor, userId: workspaceId } },
      { name: 'bench', readOnly: true, expiresAt: undefined },
    );
    const { rows } = await database.pool.query<{ id: number }>(
      'select min(id) as id from apps where workspace_id = $1',
      [workspaceId],
    );
    readers.push({ token: secret, appId: rows[0]!.id });
  }
  return readers;
}
