import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measurePressure } from '../../src/domain/runs/pressure.ts';
import { nextTry, maxAttemptsADay } from '../../src/domain/runs/next-try.ts';

const requests = fc.integer({ min: 0, max: 20_000 });
const load = fc.record({
  backlogRequests: fc.integer({ min: 0, max: 50_000 }),
  marketRequests: fc.integer({ min: 0, max: 100_000 }),
  listings: fc.integer({ min: 0, max: 20_000 }),
  chores: fc.record({ reviews: requests, page: requests, chart: requests, hints: requests }),
  requestsPerDay: fc.integer({ min: 1, max: 200_000 }),
});

test('over 1,000 loads: what goes is hints, then reviews, pages and charts, then refreshes, no more than must, and never a rank check', () => {
  fc.assert(
    fc.property(fc.constantFrom('ios' as const, 'android' as const), load, (store, { backlogRequests, requestsPerDay, ...demand }) => {
      const measured = measurePressure(store, { backlogRequests, demand, requestsPerDay });
      const { reviews, page, chart, hints } = demand.chores;
      const refreshes = store === 'ios' ? Math.ceil(demand.listings / 200) : demand.listings;
      const [checks, feeds] = [backlogRequests + demand.marketRequests, reviews + page + chart];
      const total = checks + refreshes + feeds + hints;
      expect(measured.pressure).toBeCloseTo(total / requestsPerDay, 6);
      const goes = {
        hints: total > requestsPerDay && hints > 0,
        reviews: total - hints > requestsPerDay && reviews > 0,
        page: total - hints > requestsPerDay && page > 0,
        chart: total - hints > requestsPerDay && chart > 0,
        refresh: checks + refreshes > requestsPerDay && refreshes > 0,
      };
      expect(measured.shed.toSorted()).toEqual(
        Object.entries(goes)
          .filter(([, isShed]) => isShed)
          .map(([kind]) => kind)
          .sort(),
      );
      expect(Object.keys(measured).sort()).toEqual(['pressure', 'shed', 'store']);
    }),
    { numRuns: 1_000 },
  );
});

test('a refusal uses up no attempt, a failure does, and a question that cannot be answered is not asked again', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const cost = { requests: 1, bytes: 0, ms: 0 };
  expect(nextTry({ failure: 'refused', retryAfterMs: 90_000, cost }, 2, now)).toEqual({
    kind: 'again',
    attempts: 2,
    at: new Date('2026-01-01T00:01:30Z'),
  });
  expect(nextTry({ failure: 'unreadable', retryAfterMs: null, cost }, 0, now)).toMatchObject({ kind: 'again', attempts: 1 });
  expect(nextTry({ failure: 'unavailable', retryAfterMs: null, cost }, maxAttemptsADay - 1, now)).toEqual({ kind: 'give-up' });
  expect(nextTry({ failure: 'unavailable', retryAfterMs: null, cost: { ...cost, requests: 0 } }, maxAttemptsADay - 1, now).kind).toBe('again');
  expect(nextTry({ failure: 'not_offered', retryAfterMs: null, cost }, 0, now)).toEqual({ kind: 'give-up' });
});
