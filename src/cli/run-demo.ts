import { existsSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabaseServer } from '../boot/database.ts';
import { seedDemo } from '../boot/seed-demo.ts';
import { createRuntime } from '../boot/services.ts';
import { start } from '../boot/start.ts';
import { readConfig, type Config } from '../config/env.ts';
import { TestClock } from '../lib/clock.ts';
import { addDays, utcDayOf, type UtcDay } from '../lib/dates.ts';
import { Closers } from '../lib/closers.ts';
import { createLogger } from '../lib/logger.ts';
import { withoutPace } from './demo-pace.ts';
import { demoEmail, demoSimulatorOptions, planDemo } from './demo-plan.ts';
import { answerMcpLate } from './mcp-late.ts';
import { startSimulatorProcess, type SimulatorProcess } from './simulator-process.ts';

const historyDays = 120;
/** A week and the day before it: what is compared over seven days is whole. A full day takes three times a lesser one. */
const dailyDays = 8;
/** A history that was not filled to its end is filled anew, so no commit waits for the disk; the stop at the end does. */
const fillingFlags = {
  synchronous_commit: 'off',
  max_wal_size: '1GB',
  checkpoint_timeout: '30min',
};

/** The product against the simulator: everything to try, no store asked. Rejects when it cannot come up. */
export async function runDemo(closers: Closers): Promise<void> {
  const given = readConfig();
  const dataDir = join(given.DATA_DIR, 'demo');
  // Written last: its password is the account's, its absence means that the history is not complete.
  const marker = join(dataDir, 'demo-password');
  const simulator = await startSimulatorProcess(demoSimulatorOptions);
  closers.add(simulator.close);
  const config: Config = {
    ...given,
    DATA_DIR: dataDir,
    DATABASE_URL: null,
    QUEUE_URL: null,
    STORE_BASE_URL: simulator.baseUrl,
    SCRAPE_IOS_RPM: 120,
    SCRAPE_ANDROID_RPM: 120,
  };
  const password =
    (await readFile(marker, 'utf8').catch(() => '')) || randomBytes(12).toString('base64url');
  if (!existsSync(marker)) {
    await seed(
      { ...config, SCRAPE_IOS_RPM: 1_000_000, SCRAPE_ANDROID_RPM: 1_000_000, LOG_LEVEL: 'silent' },
      simulator,
      password,
      closers,
    );
    await writeFile(marker, password, { mode: 0o600 });
  }
  await simulator.setNow(new Date());
  const clock = setInterval(() => void simulator.setNow(new Date()), 60_000);
  closers.add(async () => clearInterval(clock));
  const running = await start({
    config,
    role: 'all',
    say: console.log,
    mcp: answerMcpLate,
    closers,
  });
  console.log(
    `\n  The demo is up:  ${running.webUrl}\n  Sign in with:    ${demoEmail} / ${password}\n  API:             ${running.apiUrl}\n`,
  );
}

async function seed(
  config: Config,
  simulator: SimulatorProcess,
  password: string,
  closers: Closers,
): Promise<void> {
  const started = performance.now();
  const today = utcDayOf(new Date());
  const firstDay = addDays(today, -historyDays);
  console.log(`Filling ${historyDays} days of history through the product itself …`);
  const filling = new Closers();
  closers.add(() => filling.close());
  const database = await openDatabaseServer(config, createLogger('silent'), filling, {
    empty: true,
    flags: fillingFlags,
  });
  const clock = new TestClock(`${firstDay}T00:00:00Z`);
  const runtime = await createRuntime({
    config,
    database,
    log: createLogger('silent'),
    clock,
    wrapPacer: withoutPace,
  });
  filling.add(runtime.close);
  await seedDemo(
    runtime,
    clock,
    planDemo({
      simulator,
      password,
      today,
      historyDays,
      dailyDays,
      afterDay: (day) => showProgress(firstDay, day),
    }),
  );
  await filling.close();
  console.log(`\nHistory filled in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
}

function showProgress(firstDay: UtcDay, day: UtcDay): void {
  if (process.stdout.isTTY) process.stdout.write(`\r  ${firstDay} … ${day} `);
}
