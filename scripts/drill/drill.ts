import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Client } from '#client/http.ts';
import { utcDayOf } from '#lib/dates.ts';
import type { Simulator } from '#simulator/server.ts';
import { compareWithGroundTruth, makePhrases } from '#tests/harness/ground-truth.ts';
import { expireLeases, hurryRetries } from '#tests/harness/load-recorder.ts';

export interface DrillOptions {
  /** The number of keyword markets that are tracked before the first loss. */
  markets: number;
  /** Lost work is due at once, instead of when its lease expires. */
  hurries: boolean;
  say: (line: string) => void;
}

/** The parts of the drill share this. */
export interface Drill extends DrillOptions {
  simulator: Simulator;
  /** A directory for everything that the drill writes; it is removed at the end. */
  folder: string;
}

const batch = 50;
const timeoutMs = 15 * 60_000;
const app = { store: 'ios', storeAppId: '1500000001' } as const;

/** Tracks phrases of an app until it has so many keyword markets. Returns the number. */
export async function trackKeywords(client: Client, from: number, to: number): Promise<number> {
  const appId = await findApp(client);
  const phrases = makePhrases(to).slice(from);
  for (let at = 0; at < phrases.length; at += batch)
    for (const [country, items] of Map.groupBy(phrases.slice(at, at + batch), (one) => one.country))
      await client('POST /apps/{id}/keywords', {
        params: { id: appId },
        body: { phrases: items.map(({ phrase }) => phrase), countries: [country] },
      });
  return phrases.length;
}

async function findApp(client: Client): Promise<number> {
  const { items } = await client('GET /apps', {});
  if (items[0]) return Number(items[0].id);
  const { app: added } = await client('POST /apps', { body: app });
  return Number(added.id);
}

const tracked = `select m.id as "marketId", m.store, m.phrase, m.country, m.device,
    l.store_app_id as "storeAppId"
  from keywords k join apps a on a.id = k.app_id join listings l on l.id = a.listing_id
  join markets m on m.id = k.market_id`;

/**
 * Waits until every keyword market has its outcome of today, and compares all positions with what
 * the simulated store shows. Throws for one that is lost, wrong or there twice. Returns the number.
 */
export async function compareAll(drill: Drill, url: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined);
  try {
    await waitForOutcomes(drill, pool);
    const { rows } = await pool.query(tracked);
    const context = { db: { pool }, simulator: drill.simulator };
    const { wrong, falseNotFound, withoutOutcome, withTwoOutcomes, gaps, ...counted } =
      await compareWithGroundTruth(context, rows, [utcDayOf(new Date())]);
    const faults = [...wrong, ...falseNotFound, ...withoutOutcome, ...withTwoOutcomes];
    if (faults.length > 0) throw new Error(`${faults.length} outcomes differ: ${faults[0]}`);
    if (gaps > 0 || counted.rows !== rows.length)
      throw new Error(`${rows.length} markets have ${counted.rows} positions and ${gaps} gaps`);
    return counted.rows;
  } finally {
    await pool.end();
  }
}

const withoutOutcome = `select t.* from (${tracked}) t where not exists (select from rankings r
  where r.market_id = t."marketId" and r.date = (now() at time zone 'UTC')::date)`;

/** Keyword markets whose position of today is still to be found. */
export async function countOpen(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(withoutOutcome)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

async function waitForOutcomes({ hurries }: Drill, pool: pg.Pool): Promise<void> {
  const begunMs = performance.now();
  while ((await pool.query(`${withoutOutcome} limit 1`)).rowCount !== 0) {
    if (performance.now() - begunMs > timeoutMs) throw new Error('positions are missing');
    if (hurries) {
      await expireLeases(pool);
      await hurryRetries(pool);
    }
    await sleep(200);
  }
}

/** Runs a step, prints what it did and how long it took, and returns its result. */
export async function timed<T>(
  { say }: DrillOptions,
  describe: (result: T) => string,
  step: () => Promise<T>,
): Promise<T> {
  const begunMs = performance.now();
  const result = await step();
  const seconds = ((performance.now() - begunMs) / 1_000).toFixed(1);
  say(`   ${seconds.padStart(6)} s  ${describe(result)}`);
  return result;
}
