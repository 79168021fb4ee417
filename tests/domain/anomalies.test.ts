import { describe, expect, test } from 'vitest';
import { findAnomaly, type Comparison } from '#domain/tracking/anomalies/find-anomaly.ts';
import { isRecentlyWhole, observeResponse } from '#domain/tracking/anomalies/response-monitor.ts';
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
