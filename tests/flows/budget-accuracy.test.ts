import { afterAll, expect, test } from 'vitest';
import { storeNames } from '#stores/profiles.ts';
import { runBudgetDays, trackOwnMarkets, type BudgetDay } from '../harness/budget-days.ts';
import { startPipeline } from '../harness/pipeline.ts';

const marketsEach = process.env.TORTURE ? 200 : 3;
const pipeline = await startPipeline({
  day: '2026-06-01',
  simulator: { world: { apps: 600, resultsPerSearch: 110 } },
});
afterAll(() => pipeline.close());

test('a day at either store costs what the budget predicted, within 2 %', async () => {
  await trackOwnMarkets(pipeline, marketsEach);
  const days = await runBudgetDays(pipeline, '2026-06-01', 8);
  console.log(
    days
      .map(
        ({ day, store, estimated, received }) =>
          `${day} ${store}: ${estimated.toFixed(1)} estimated, ${received} received`,
      )
      .join('\n'),
  );
  const firstDay = days.filter((day) => day.day === '2026-06-01');
  expect(firstDay.filter((day) => day.received - day.onlyOnce > day.estimated)).toEqual([]);
  const isOff = ({ estimated, received, nameLookups }: BudgetDay) =>
    received > estimated * 1.02 || received < (estimated - nameLookups) * 0.98;
  const learned = days.filter((day) => day.day !== '2026-06-01');
  expect(learned.filter(isOff)).toEqual([]);
  // The first day fetches every market's hints; later each has its weekday.
  expect(firstDay.every((day) => day.hints.received > marketsEach * 3)).toBe(true);
  for (const store of storeNames) {
    const later = learned.filter((day) => day.store === store);
    expect(later.reduce((sum, day) => sum + day.hints.received, 0)).toBeLessThanOrEqual(
      firstDay.find((day) => day.store === store)!.hints.received * 1.2,
    );
  }
}, 300_000);
