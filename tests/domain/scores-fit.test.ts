import { beforeAll, describe, expect, it } from 'vitest';
import { findLargestMove, proposeWeights, type FitRow } from '#bench/score-weights.ts';
import { trafficFormulas } from '#domain/insights/scores/formulas.ts';
import { readTrafficSignals, weighTraffic } from '#domain/insights/scores/traffic.ts';
import { readScoreWorld } from '../harness/score-world.ts';

const shipped = trafficFormulas.ios.weights;
/** As if the store's demand were by the strength of titles instead of by early suggestions. */
const others = { ...shipped, early: shipped.early - 0.12, serp: shipped.serp + 0.12 };
let rows: FitRow[];

beforeAll(async () => {
  const world = await readScoreWorld('ios', { seed: 4, country: 'us', every: 9 });
  rows = world.map(({ evidence }) => ({
    evidence,
    popularity:
      weighTraffic({ ...trafficFormulas.ios, weights: others }, readTrafficSignals(evidence))
        .value! * 100,
  }));
});

describe('a fit of the weights', () => {
  it('moves them towards those that the labels follow, and is better on held-out rows', () => {
    const proposal = proposeWeights('ios', rows, { seed: 1 });
    expect(proposal).toMatchObject({ isAccepted: true, rejections: [], formula: 'traffic.ios@2' });
    const of = (name: string) => proposal.weights.find(({ signal }) => signal === name)!;
    expect(of('serp').proposed).toBeGreaterThan(of('serp').shipped + 0.05);
    expect(of('early').proposed).toBeLessThan(of('early').shipped - 0.05);
    const sum = proposal.weights.reduce((total, { proposed }) => total + proposed, 0);
    expect(sum).toBeCloseTo(1, 9);
    const { heldOut } = proposal;
    expect(heldOut.proposed).toBeGreaterThan(heldOut.shipped);
    expect(heldOut.rows).toBeGreaterThan(rows.length / 5);
    expect(heldOut.rows).toBeLessThan(rows.length / 2);
    expect(proposeWeights('ios', rows, { seed: 1 })).toEqual(proposal);
  });

  it('never moves a weight by more than 0.15, nor gives one to a signal that has none', () => {
    const mirrored = rows.map((row) => ({ ...row, popularity: 100 - row.popularity }));
    for (const { shipped: before, proposed } of proposeWeights('ios', mirrored, { seed: 1 })
      .weights)
      expect(Math.abs(proposed - before)).toBeLessThanOrEqual(0.15 + 1e-9);
    const android = rows.map(({ evidence, popularity }) => ({
      evidence: { ...evidence, store: 'android' as const },
      popularity,
    }));
    const rank = proposeWeights('android', android, { seed: 1 }).weights.find(
      ({ signal }) => signal === 'rank',
    );
    expect(rank).toEqual({ signal: 'rank', shipped: 0, proposed: 0 });
  });

  it('leaves the weights of signals that are named', () => {
    const kept = ['rank', 'charts'] as const;
    const { weights } = proposeWeights('ios', rows, { seed: 1, kept });
    for (const { signal, shipped: before, proposed } of weights)
      if (kept.some((name) => name === signal)) expect(proposed).toBe(before);
    expect(weights.find(({ signal }) => signal === 'serp')!.proposed).toBeGreaterThan(0.15);
  });

  it('is rejected when held-out rows do not gain', () => {
    const same = rows.map((row) => ({ ...row, popularity: 50 }));
    const proposal = proposeWeights('ios', same, { seed: 1 });
    expect(proposal.isAccepted).toBe(false);
    expect(proposal.rejections).toEqual(['it is not better on the held-out rows']);
  });

  it('is rejected when one app that moves by one position changes a score too much', () => {
    const largest = findLargestMove('ios', others, rows);
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThanOrEqual(6);
    // Weights that depend on the results alone let one move change more.
    const results = { early: 0, rank: 0, continuations: 0, length: 0, charts: 0, serp: 1 };
    expect(findLargestMove('ios', results, rows)).toBeGreaterThan(largest);
    const proposal = proposeWeights('ios', rows, { seed: 1, maxMove: 0 });
    expect(proposal.isAccepted).toBe(false);
    expect(proposal.rejections[0]).toMatch(/^one move changes a score by \d$/);
  });
});
