import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { measurePressure } from '#domain/scheduling/runs/pressure.ts';
import { planStoreRetry } from '#domain/base/plan-store-retry.ts';
import { storeRetry } from '../harness/background-work.ts';

const requests = fc.integer({ min: 0, max: 20_000 });
const load = fc.record({
  backlogRequests: fc.integer({ min: 0, max: 50_000 }),
  marketRequests: fc.integer({ min: 0, max: 100_000 }),
  listingRequests: fc.integer({ min: 0, max: 20_000 }),
  storeTasks: fc.record({ reviews: requests, page: requests, chart: requests, hints: requests }),
  capacityRequests: fc.integer({ min: 1, max: 200_000 }),
});

test('over 1,000 loads, sheds hints, tasks, then refreshes, as needed, never checks', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('ios' as const, 'android' as const),
      load,
      (store, { backlogRequests, capacityRequests, ...demand }) => {
        const measured = measurePressure(store, { backlogRequests, demand, capacityRequests });
        const { reviews, page, chart, hints } = demand.storeTasks;
        const refreshes = demand.listingRequests;
        const [checks, feeds] = [backlogRequests + demand.marketRequests, reviews + page + chart];
        const total = checks + refreshes + feeds + hints;
        expect(measured.pressure).toBeCloseTo(total / capacityRequests, 6);
        const goes = {
          hints: total > capacityRequests && hints > 0,
          reviews: total - hints > capacityRequests && reviews > 0,
          page: total - hints > capacityRequests && page > 0,
          chart: total - hints > capacityRequests && chart > 0,
          refresh: checks + refreshes > capacityRequests && refreshes > 0,
        };
        expect(measured.shed.toSorted()).toEqual(
          Object.entries(goes)
            .filter(([, isShed]) => isShed)
            .map(([kind]) => kind)
            .sort(),
        );
        expect(Object.keys(measured).sort()).toEqual(['pressure', 'shed', 'store']);
      },
    ),
    { numRuns: 1_000 },
  );
});

describe('a failed store request', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const none = { kind: 'give-up' };
  const again = (attempts: number, seconds: number) => ({
    kind: 'again',
    attempts,
    at: new Date(now.getTime() + seconds * 1_000),
  });
  const last = 5;
  type Failed = Parameters<typeof planStoreRetry>[1];
  const failed = (
    failure: Failed['failure'],
    marker: string,
    requests = 1,
    retryAfterMs: number | null = null,
  ): Failed => ({
    failure,
    marker,
    retryAfterMs,
    cost: { requests, bytes: 0, ms: 0 },
  });

  test.each<[string, Failed, number, object]>([
    ['refused by the store uses up an attempt', failed('refused', '403'), 0, again(1, 60)],
    [
      'refused again by the store waits hours instead of minutes',
      failed('refused', '403'),
      last - 1,
      again(last, 6 * 3_600),
    ],
    ['always refused by the store is given up', failed('refused', '403'), last, none],
    [
      'refused at one endpoint does not wait for its cooldown',
      failed('refused', '429', 1, 3_600_000),
      0,
      again(1, 60),
    ],
    [
      'with all endpoints cooling waits for the first and keeps its attempts',
      failed('refused', 'cooling', 0, 90_000),
      last,
      again(last, 90),
    ],
    [
      'with all endpoints cooling waits for the next probe at most',
      failed('refused', 'cooling', 0, 999_999_999_000),
      0,
      again(0, 300),
    ],
    [
      'with a Retry-After of decades waits an hour',
      failed('unavailable', '503', 1, 999_999_999_000),
      0,
      again(1, 3_600),
    ],
    [
      'with all endpoints cooling on a later page keeps its attempts',
      failed('refused', 'cooling', 3, 90_000),
      last,
      again(last, 90),
    ],
    [
      'with an unconfirmed response waits half a minute and keeps its attempts',
      failed('refused', 'probe', 0),
      last,
      again(last, 30),
    ],
    [
      'with an unreadable response uses up an attempt',
      failed('unreadable', 'rpc-missing'),
      0,
      again(1, 60),
    ],
    ['waits longer each time', failed('unavailable', 'timeout'), 2, again(3, 900)],
    ['is given up with the last attempt', failed('unavailable', '503'), last, none],
    [
      'that was never sent keeps its attempts',
      failed('unavailable', 'busy', 0),
      last,
      again(last, 0),
    ],
    [
      'delayed by our pacing on a later page waits longer each time',
      failed('unavailable', 'busy', 1),
      2,
      again(3, 900),
    ],
    [
      'delayed by our pacing is never given up',
      failed('unavailable', 'late', 7),
      last,
      again(last, 3_600),
    ],
    ['that the store cannot serve is not retried', failed('not_offered', '404'), 0, none],
    ['that is invalid is not retried', failed('bad_request', 'depth'), 0, none],
  ])('%s', (_, error, attemptsBefore, expected) =>
    expect(planStoreRetry(storeRetry, error, attemptsBefore, now)).toEqual(expected),
  );

  test('that is no check waits an hour at most with all endpoints cooling', () => {
    const { delaysMs, refusedDelaysMs } = storeRetry;
    const error = failed('refused', 'cooling', 0, 999_999_999_000);
    expect(planStoreRetry({ delaysMs, refusedDelaysMs }, error, 0, now)).toEqual(again(0, 3_600));
  });
});
