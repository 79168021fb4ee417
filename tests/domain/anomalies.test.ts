import { describe, expect, test } from 'vitest';
import { findAnomaly, type Comparison } from '#domain/tracking/anomalies/find-anomaly.ts';
import { isRecentlyWhole, observeResponse } from '#domain/tracking/anomalies/response-monitor.ts';
import { planEvaluation } from '#domain/tracking/rankings/plan-evaluation.ts';
import { packIds } from '#domain/tracking/rankings/pack-serp.ts';
import { mix, unit } from '#simulator/world/hash.ts';

const responses = (pattern: string, endpoints = ['direct']): Comparison[] =>
  [...pattern].map((sign, index) => ({
    isShort: sign === 's',
    endpoint: endpoints[index % endpoints.length]!,
    atMs: index * 1_000,
  }));
const provider = { store: 'ios', provider: 'web', endpoints: 1 } as const;
/** The number of responses until an anomaly is found; null for none of them. */
function countUntilFound(count: number, isShort: (index: number) => boolean): number | null {
  const services = {};
  for (let index = 0; index < count; index++) {
    const comparison = { isShort: isShort(index), endpoint: 'direct', atMs: index * 1_000 };
    if (observeResponse(services, provider, comparison)) return index + 1;
  }
  return null;
}
const drawn = (seed: number, share: number) => (index: number) => unit(mix(seed, index)) < share;

describe('an anomaly', () => {
  test('is three short responses of three, but not of ten', () => {
    expect(findAnomaly(responses('ss'), 1)).toBeNull();
    expect(findAnomaly(responses('sss'), 1)).toEqual({
      compared: 3,
      short: 3,
      sinceMs: 0,
      endpoint: null,
    });
    expect(findAnomaly(responses('wwwwwwwsss'), 1)).toBeNull();
    expect(findAnomaly(responses('wwwwwsssss'), 1)).toMatchObject({ compared: 10, short: 5 });
  });

  test('names the endpoint through which alone responses are short', () => {
    expect(findAnomaly(responses('swswswswsw', ['a', 'b']), 2)).toMatchObject({ endpoint: 'a' });
    expect(findAnomaly(responses('ssssswwwww', ['a', 'b']), 2)).toMatchObject({ endpoint: null });
  });

  test('waits for responses through other endpoints before it blames the store', () => {
    expect(findAnomaly(responses('ssss', ['a']), 2)).toBeNull();
    expect(findAnomaly(responses('sssswww', ['a', 'a', 'a', 'a', 'b', 'b', 'b']), 2)).toMatchObject(
      { endpoint: 'a' },
    );
  });

  test('of the store is found although one endpoint was blamed before', () => {
    const services = {};
    const endpoints = [...'aaabbbbbaaa'];
    const found = endpoints.flatMap((endpoint, index) => {
      const comparison = { isShort: index >= 3, endpoint, atMs: index * 1_000 };
      return observeResponse(services, { ...provider, endpoints: 2 }, comparison) ?? [];
    });
    expect(found).toMatchObject([{ endpoint: 'b' }, { endpoint: null }]);
  });

  test.each([1, 0.9, 0.5, 0.3])('is found within 60 responses of which %d are short', (share) => {
    for (let seed = 0; seed < 50; seed++)
      expect(countUntilFound(60, drawn(seed, share))).not.toBeNull();
  });

  test('begins in the middle of a busy day within ten responses', () => {
    expect(countUntilFound(1_010, (index) => index >= 1_000)).not.toBeNull();
  });

  test('is not found in 100,000 responses of honest days', () => {
    // Ten times as many small markets that shrink as the recorded days have.
    const found = Array.from({ length: 10 }, (_, seed) =>
      countUntilFound(10_000, drawn(seed, 0.005)),
    ).filter((at) => at !== null);
    expect(found).toEqual([]);
  });
});

describe('recent responses', () => {
  const observe = (services: object, isShort: boolean, atMs: number) =>
    observeResponse(services, provider, { isShort, endpoint: 'direct', atMs });
  const isWhole = (services: object, nowMs: number) =>
    isRecentlyWhole(services, { store: 'ios', provider: 'web', nowMs });

  test('speak for the provider when the last five were whole, for ten minutes', () => {
    const services = {};
    for (let index = 0; index < 4; index++) observe(services, false, 0);
    expect(isWhole(services, 0)).toBe(false);
    observe(services, false, 0);
    expect(isWhole(services, 600_000)).toBe(true);
    expect(isWhole(services, 600_001)).toBe(false);
    observe(services, true, 0);
    expect(isWhole(services, 0)).toBe(false);
  });
});

describe('alerts of a check', () => {
  const checkedAt = new Date('2026-11-02T03:00:00Z');
  const market = {
    store: 'ios' as const,
    depth: 200,
    usualResults: 100,
    tracked: [{ id: 7, storeAppId: '7', previousPosition: 3 as number | null }],
    lastSerp: null as null | { ids: Buffer; strengths: Buffer; wholeOn: string; version: string },
  };
  const plan = (changes: Partial<typeof market> & { found?: number | null; count?: number }) =>
    planEvaluation(
      { ...market, ...changes },
      { positions: [changes.found ?? null], resultCount: changes.count ?? 100, checkedAt },
    );
  const later = new Date('2026-11-02T04:16:00Z');
  const lastSerp = {
    ids: packIds([5, 7]),
    strengths: Buffer.alloc(0),
    wholeOn: '2026-11-01',
    version: '1',
  };
  const competitor = [{ id: 7, storeAppId: '7', previousPosition: null }];

  test.each([
    ['an app is still found', { found: 60 }, null],
    ['an app is lost', {}, later],
    ['a competitor that had a position is lost', { tracked: competitor, lastSerp }, later],
    ['an app that had no position is not found', { tracked: competitor }, null],
    ['a tenth of the results is missing', { found: 3, count: 90 }, null],
    ['more than a tenth is missing', { found: 3, count: 89 }, later],
    ['the first result is small', { usualResults: null as never, found: 3, count: 1 }, later],
    ['the first result is usual', { usualResults: null as never, found: 3 }, null],
  ])('%s', (_, changes, at) => {
    expect(plan(changes)).toEqual(at);
  });
});
