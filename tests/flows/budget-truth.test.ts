import { afterAll, expect, test } from 'vitest';
import { runBudgetDays, trackOwnMarkets } from '../harness/budget-days.ts';
import { startPipeline } from '../harness/pipeline.ts';

const marketsEach = process.env.TORTURE ? 200 : 10;
const pipeline = await startPipeline({ day: '2026-06-01', simulator: { world: { apps: 600, resultsPerSearch: 110 } } });
afterAll(() => pipeline.close());

test('a day at either store costs what the budget said before it, within 2 %; what nobody has asked yet never costs more than it said', async () => {
  await trackOwnMarkets(pipeline, marketsEach);
  const days = await runBudgetDays(pipeline, '2026-06-01', 8);
  console.log(
    days.map(({ day, store, estimated, received }) => `${day} ${store}: ${estimated.toFixed(1)} estimated, ${received} received`).join('\n'),
  );
  const firstDay = days.filter((day) => day.day === '2026-06-01');
  expect(firstDay.filter((day) => day.received - day.onlyOnce > day.estimated)).toEqual([]);
  const isOff = (estimated: number, received: number) => Math.abs(estimated / received - 1) > 0.02;
  const learned = days.filter((day) => day.day !== '2026-06-01');
  expect(learned.filter(({ hints, ...day }) => isOff(day.estimated - hints.estimated, day.received - hints.received))).toEqual([]);
  // After a week there is no market left whose hints nobody has asked for.
  expect(days.filter((day) => day.day > '2026-06-07' && isOff(day.estimated, day.received))).toEqual([]);
}, 300_000);
