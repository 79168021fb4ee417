import { existsSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabaseServer } from '#boot/database.ts';
import { seedDemo } from '#boot/seed-demo.ts';
import { createRuntime } from '#boot/services.ts';
import { start } from '#boot/start.ts';
import { readConfig, type Config } from '#config/env.ts';
import { everyPace } from '#config/pace-settings.ts';
import { TestClock } from '#lib/clock.ts';
import { addDays, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { createLogger } from '#lib/logger.ts';
import { configureDemo } from './demo-config.ts';
import { createDemoAdsKey, readDemoAdsKey, storeDemoAdsKey } from './demo-ads-key.ts';
import { popularityWait, withoutPacing } from './without-pacing.ts';
import { demoEmail, demoSimulatorOptions, planDemo } from './demo-plan.ts';
import { handleMcpLazily } from './lazy-mcp.ts';
import { startSimulatorProcess, type SimulatorProcess } from './simulator-process.ts';

const historyDays = 120;
/**
 * A week and the day before it, so that seven-day comparisons are complete. A full day takes three
 * times as long as a short one.
 */
const dailyDays = 8;
/**
 * An incomplete history is rebuilt, so commits need not wait for the disk. The stop at the end does
 * wait.
 */
const fillingFlags = {
  synchronous_commit: 'off',
  max_wal_size: '1GB',
  checkpoint_timeout: '30min',
};

/**
 * Runs the product against the simulator, so that no store is queried. Rejects when it cannot
 * start.
 */
export async function runDemo(shutdownStack: ShutdownStack): Promise<void> {
  const given = readConfig();
  const simulator = await startSimulatorProcess(demoSimulatorOptions);
  shutdownStack.add(simulator.close);
  const config = configureDemo(given, simulator.baseUrl);
  // Written last: it contains the account's password, and without it the history is incomplete.
  const passwordFile = join(config.DATA_DIR, 'demo-password');
  const password =
    (await readFile(passwordFile, 'utf8').catch(() => '')) || randomBytes(12).toString('base64url');
  if (!existsSync(passwordFile)) {
    await seed(
      { ...config, ...everyPace(1_000_000), LOG_LEVEL: 'silent' },
      simulator,
      password,
      shutdownStack,
    );
    await writeFile(passwordFile, password, { mode: 0o600 });
  } else {
    const adsKey = await readDemoAdsKey(config.DATA_DIR);
    if (adsKey) await simulator.registerAdsKey(adsKey);
  }
  await simulator.setNow(new Date());
  const clock = setInterval(() => void simulator.setNow(new Date()), 60_000);
  shutdownStack.add(async () => clearInterval(clock));
  const running = await start({
    config,
    role: 'all',
    say: console.log,
    mcp: handleMcpLazily,
    shutdownStack,
  });
  console.log(
    `\n  The demo is up:  ${running.webUrl}\n  Sign in with:    ${demoEmail} / ${password}\n ` +
      ` API:             ${running.apiUrl}\n`,
  );
}

async function seed(
  config: Config,
  simulator: SimulatorProcess,
  password: string,
  shutdownStack: ShutdownStack,
): Promise<void> {
  const started = performance.now();
  const today = utcDayOf(new Date());
  const firstDay = addDays(today, -historyDays);
  console.log(`Filling ${historyDays} days of history through the product itself …`);
  const filling = new ShutdownStack();
  shutdownStack.add(() => filling.close());
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
    wrapPacer: withoutPacing,
    popularityWait,
  });
  filling.add(runtime.close);
  const { registered, credentials } = createDemoAdsKey();
  await simulator.registerAdsKey(registered);
  await seedDemo(
    runtime,
    clock,
    planDemo({
      simulator,
      password,
      today,
      historyDays,
      dailyDays,
      adsCredentials: credentials,
      afterDay: (day) => showProgress(firstDay, day),
    }),
  );
  await storeDemoAdsKey(config.DATA_DIR, registered);
  await filling.close();
  console.log(`\nHistory filled in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
}

function showProgress(firstDay: UtcDay, day: UtcDay): void {
  if (process.stdout.isTTY) process.stdout.write(`\r  ${firstDay} … ${day} `);
}
