import { everyPace } from '#config/pace-settings.ts';
import { describe, expect, test } from 'vitest';
import { seedDemo } from '#boot/seed-demo.ts';
import { createRuntime } from '#boot/services.ts';
import { demoSimulatorOptions, planDemo } from '#cli/demo-plan.ts';
import { startSimulatorProcess } from '#cli/simulator-process.ts';
import { withoutPacing } from '#cli/without-pacing.ts';
import { readConfig } from '#config/env.ts';
import { TestClock } from '#lib/clock.ts';
import { addDays } from '#lib/dates.ts';
import { silentLogger } from '#lib/logger.ts';
import { startApi } from '../harness/api.ts';
import { createTestDatabase } from '../harness/database.ts';

/** Changes of the listings and moves need some days before the counted ones. */
const historyDays = 38;
const countedDays = 30;

async function countAlerts(today: string) {
  await using stack = new AsyncDisposableStack();
  const db = await createTestDatabase();
  stack.defer(() => db.drop());
  const simulator = await startSimulatorProcess(demoSimulatorOptions);
  stack.defer(() => simulator.close());
  const clock = new TestClock(`${addDays(today, -historyDays)}T00:00:00Z`);
  const runtime = await createRuntime({
    config: readConfig({ STORE_BASE_URL: simulator.baseUrl, ...everyPace('1000000') }),
    database: { urlOf: () => db.url },
    log: silentLogger,
    clock,
    wrapPacer: withoutPacing,
  });
  stack.defer(() => runtime.close());
  const password = 'grape-tunnel-oxide-41';
  const plan = planDemo({
    simulator,
    password,
    today,
    historyDays,
    dailyDays: historyDays,
    afterDay: () => {},
  });
  const { workspaceId } = await seedDemo(runtime, clock, plan);
  const api = await startApi({ db, clock });
  stack.defer(() => api.close());
  const account = await api.signUp({ workspaceId });
  const body = { rules: [], days: countedDays };
  return await api.ok('POST /alerts/rules/backtest', { body }, account);
}

/** 66 keywords of two apps in four countries, with one flood of low reviews in the second month. */
describe.runIf(process.env.TORTURE)('the default rules', () => {
  test.each(['2026-04-20', '2026-06-10'])(
    'raise at most three alerts a day in the month before %s',
    async (today) => {
      const { total, counts } = await countAlerts(today);
      console.info(`Default alert rules: ${total} alerts in 30 days, ${JSON.stringify(counts)}`);
      expect(counts['rank.dropped']).toBeGreaterThan(0);
      expect(total / countedDays).toBeLessThanOrEqual(3);
    },
    1_200_000,
  );
});
