import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays } from '#lib/dates.ts';
import { createCore } from '#simulator/core.ts';
import { measureMovement } from './measure-movement.ts';

const recording = resolve(
  import.meta.dirname,
  '../../../shared/fixtures/ios/charts-rss/finance-jp-daily-charts.json',
);

function worldDays(phrase: string): string[][] {
  const world = createCore({ seed: 3 }).world;
  return Array.from({ length: 250 }, (_, index) => {
    const day = addDays('2026-03-01', index);
    return world
      .order({ store: 'ios', phrase, country: 'us', day })
      .slice(0, 100)
      .map((app) => app.storeAppId);
  });
}

describe('the world moves as real charts do', () => {
  it.each(['habit tracker', 'budget planner', 'weather'])('%s', (phrase) => {
    const moved = measureMovement(worldDays(phrase));
    expect(moved.change.p50).toBeGreaterThan(3);
    expect(moved.change.p50).toBeLessThan(5);
    expect(moved.change.p90).toBeGreaterThan(5.5);
    expect(moved.change.p90).toBeLessThan(9.5);
    expect(moved.entrants.p50).toBeGreaterThanOrEqual(2);
    expect(moved.entrants.p50).toBeLessThanOrEqual(6);
    expect(moved.entrants.p90).toBeLessThanOrEqual(11);
    expect(moved.topChange.p50).toBeGreaterThan(0.5);
    expect(moved.topChange.p50).toBeLessThan(1.6);
    expect(moved.topChange.p90).toBeLessThan(3.5);
  });

  it('with the figures of 310 recorded days', (context) => {
    if (!existsSync(recording)) return context.skip('no recordings beside the project');
    const { days } = JSON.parse(readFileSync(recording, 'utf8')) as { days: { ids: string[] }[] };
    const real = measureMovement(days.map((day) => day.ids));
    const made = measureMovement(worldDays('habit tracker'));
    for (const decile of ['p50', 'p90'] as const) {
      const ratio = made.change[decile] / real.change[decile];
      expect(ratio).toBeGreaterThan(0.75);
      expect(ratio).toBeLessThan(1.3);
    }
    expect(Math.abs(made.entrants.p50 - real.entrants.p50)).toBeLessThanOrEqual(2);
    expect(Math.abs(made.topChange.p50 - real.topChange.p50)).toBeLessThanOrEqual(0.6);
    return undefined;
  });
});
