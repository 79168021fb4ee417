import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/lib/dates.ts';
import { createWorld } from '../../simulator/world/world.ts';

const recording = resolve(import.meta.dirname, '../../../shared/fixtures/ios/charts-rss/finance-jp-daily-charts.json');

/** What a hundred places do from one day to the next, as medians and ninth deciles over the days. */
function measureMovement(days: readonly (readonly string[])[]) {
  const change: number[] = [];
  const entrants: number[] = [];
  const topChange: number[] = [];
  for (let day = 1; day < days.length; day++) {
    const before = new Map(days[day - 1]!.map((id, index) => [id, index]));
    const moves = days[day]!.map((id, index) => (before.has(id) ? Math.abs(index - before.get(id)!) : null));
    const stayed = moves.filter((move) => move !== null);
    const top = moves.slice(0, 10).filter((move) => move !== null);
    change.push(mean(stayed));
    entrants.push(moves.length - stayed.length);
    topChange.push(mean(top));
  }
  return { change: deciles(change), entrants: deciles(entrants), topChange: deciles(topChange) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function deciles(values: readonly number[]): { p50: number; p90: number } {
  const sorted = [...values].sort((a, b) => a - b);
  return { p50: sorted[Math.floor(sorted.length * 0.5)]!, p90: sorted[Math.floor(sorted.length * 0.9)]! };
}

function worldDays(phrase: string): string[][] {
  const world = createWorld(3);
  return Array.from({ length: 250 }, (_, index) => {
    const day = addDays('2026-03-01', index);
    return world
      .order({ store: 'ios', phrase, country: 'us', day })
      .slice(0, 100)
      .map((app) => app.storeAppId);
  });
}

describe('the world moves as the real charts do', () => {
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

  it('and the figures are those of 310 recorded days', (context) => {
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
