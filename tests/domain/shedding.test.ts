import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measurePressure } from '../../src/domain/runs/pressure.ts';
import { nextTry, maxAttemptsADay } from '../../src/domain/runs/next-try.ts';

const load = fc.record({
  backlogRequests: fc.integer({ min: 0, max: 50_000 }),
  marketRequests: fc.integer({ min: 0, max: 200_000 }),
  listings: fc.integer({ min: 0, max: 20_000 }),
  requestsPerDay: fc.integer({ min: 1, max: 100_000 }),
});

test('over 1,000 loads: refreshes go exactly when everything together does not fit, and there is no way to shed a rank check', () => {
  fc.assert(
    fc.property(fc.constantFrom('ios' as const, 'android' as const), load, (store, { backlogRequests, marketRequests, listings, requestsPerDay }) => {
      const measured = measurePressure(store, { backlogRequests, demand: { marketRequests, listings }, requestsPerDay });
      const refreshes = store === 'ios' ? Math.ceil(listings / 200) : listings;
      expect(measured.pressure).toBeCloseTo((backlogRequests + marketRequests + refreshes) / requestsPerDay, 6);
      expect(measured.shedsRefreshes).toBe(measured.pressure > 1 && listings > 0);
      expect(Object.keys(measured).sort()).toEqual(['pressure', 'shedsRefreshes', 'store']);
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
