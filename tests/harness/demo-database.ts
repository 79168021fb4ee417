import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { seedDemo } from '#boot/seed-demo.ts';
import { createRuntime } from '#boot/services.ts';
import { planDemo } from '#cli/demo-plan.ts';
import { readConfig } from '#config/env.ts';
import { everyPace } from '#config/pace-settings.ts';
import { openPool } from '#db/pool.ts';
import { TestClock } from '#lib/clock.ts';
import { addDays, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { silentLogger } from '#lib/logger.ts';
import { dropDatabase } from './database.ts';

export const demoPassword = 'grape-tunnel-oxide-41';
const demoHistoryDays = 14;
const seedLockKey = 7_402_001;

export interface DemoDatabase {
  url: string;
  pool: pg.Pool;
  drop(): Promise<void>;
}

/** The stores of the demo, always the same world. */
export function startDemoStores(): Promise<Simulator> {
  return startSimulator({
    compress: false,
    world: { androidMode: 'web30', detail: 'lean', apps: 800, resultsPerSearch: 60 },
  });
}

/**
 * A copy of the demo's workspace after two weeks that end yesterday, filled by the product itself.
 * The first file of a run that needs it fills it once; the others wait for it and copy. With
 * `changesProvider` another search provider begins on the fourth day.
 */
export async function createDemoDatabase({ changesProvider = false } = {}): Promise<DemoDatabase> {
  const name = `demo_${randomBytes(6).toString('hex')}`;
  const today = utcDayOf(new Date());
  const providersFrom = addDays(today, (changesProvider ? 3 : 0) - demoHistoryDays);
  // A run of tests may pass midnight.
  const template =
    `toprung_demo_${today.replaceAll('-', '')}` + (changesProvider ? '_providers' : '');
  const admin = new pg.Client({ connectionString: inject('clusterUrl') });
  await admin.connect();
  await admin.query('select pg_advisory_lock($1)', [seedLockKey]);
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [template]);
  if (rowCount === 0) await seedTemplate(admin, template, { today, providersFrom });
  await admin.query(`create database ${name} template ${template} strategy file_copy`);
  await admin.query('select pg_advisory_unlock($1)', [seedLockKey]);
  await admin.end();
  const url = urlOf(name);
  const pool = openPool({
    url,
    role: 'owner',
    max: 4,
    statementTimeoutMs: 30_000,
    log: silentLogger,
  });
  return {
    url,
    pool,
    drop: async () => {
      await pool.end();
      const client = new pg.Client({ connectionString: inject('clusterUrl') });
      await client.connect();
      await dropDatabase(client, name);
      await client.end();
    },
  };
}

/** Under another name until it is complete. */
async function seedTemplate(
  admin: pg.Client,
  template: string,
  { today, providersFrom }: { today: UtcDay; providersFrom: UtcDay },
): Promise<void> {
  const draft = `${template}_draft`;
  await admin.query(`drop database if exists ${draft} with (force)`);
  await admin.query(`create database ${draft} template toprung_template`);
  const simulator = await startDemoStores();
  const clock = new TestClock(`${addDays(today, -demoHistoryDays)}T00:00:00Z`);
  const runtime = await createRuntime({
    config: readConfig({
      STORE_BASE_URL: simulator.baseUrl,
      ...everyPace('1000000'),
    }),
    database: { urlOf: () => urlOf(draft) },
    log: silentLogger,
    clock,
    wrapPacer: (pacer) => ({ ...pacer, refused: async () => undefined }),
  });
  const controls = {
    setNow: async (now: Date) => simulator.setNow(now),
    setFaults: async (rules: object[]) => simulator.setFaults(rules as never),
  };
  try {
    await seedDemo(
      runtime,
      clock,
      planDemo({
        simulator: controls,
        password: demoPassword,
        today,
        historyDays: demoHistoryDays,
        dailyDays: demoHistoryDays,
        providersFrom,
        afterDay: () => {},
      }),
    );
  } finally {
    await runtime.close();
    await simulator.close();
  }
  await admin.query(`alter database ${draft} rename to ${template}`);
}

function urlOf(database: string): string {
  return Object.assign(new URL(inject('clusterUrl')), { pathname: `/${database}` }).href;
}
