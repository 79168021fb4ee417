import { describe, expect, it } from 'vitest';
import { checkRoutes, routes } from '../../src/api/routes/index.ts';
import { operations } from '../../src/contract/index.ts';
import type { StoreWork } from '../../src/domain/runs/dispatch.ts';
import { checkJobs, findJob, jobTable } from '../../src/jobs/index.ts';

describe('the table of jobs', () => {
  it('is whole', () => {
    expect(() => checkJobs()).not.toThrow();
  });

  it('a job missing, twice, or handed over by nobody stops the boot', () => {
    expect(() => checkJobs(jobTable.slice(1))).toThrow(/0 handlers/);
    expect(() => checkJobs([...jobTable, jobTable[0]!])).toThrow(/2 handlers/);
    expect(() => checkJobs([...jobTable, { kind: 'laundry' }])).toThrow(/laundry/);
  });

  it('what somebody waits for is not taken for the same work that waits its turn', () => {
    const at = { store: 'android', day: '2026-05-10', urgent: false } as const;
    const waiting: Exclude<StoreWork, { kind: 'canary' }>[] = [
      { ...at, kind: 'rank-check', marketId: 7, attempt: 0 },
      { ...at, kind: 'app-refresh', country: 'us', listingIds: [7] },
      { ...at, kind: 'chore', choreId: 7, chore: 'page', attempt: 0 },
    ];
    for (const work of waiting) {
      const job = findJob(work.kind);
      expect(job.idOf({ ...work, urgent: true })).not.toBe(job.idOf(work));
    }
  });
});

describe('the table of routes', () => {
  const first = routes[0]!;
  const without = (change: object) => [
    { ...first, operation: { ...first.operation, ...change } },
    ...routes.slice(1),
  ];

  it('is whole', () => {
    expect(() => checkRoutes(routes, operations)).not.toThrow();
  });

  it('a route missing or twice stops the boot', () => {
    expect(() => checkRoutes(routes.slice(1), operations)).toThrow(first.key);
    expect(() => checkRoutes([...routes, first], operations)).toThrow(first.key);
  });

  it('a route without a policy stops the boot', () => {
    expect(() => checkRoutes(without({ rateClass: undefined }), operations)).toThrow(first.key);
    expect(() => checkRoutes(without({ readOnlyToken: undefined }), operations)).toThrow(first.key);
  });

  it('a route without a response schema stops the boot', () => {
    expect(() => checkRoutes(without({ responses: {} }), operations)).toThrow(first.key);
  });
});
