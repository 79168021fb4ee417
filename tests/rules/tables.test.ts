import { describe, expect, it } from 'vitest';
import { checkRoutes, routes } from '../../src/api/routes/index.ts';
import { operations } from '../../src/contract/index.ts';
import { checkJobs, jobTable } from '../../src/jobs/index.ts';

describe('the table of jobs', () => {
  it('is whole', () => {
    expect(() => checkJobs()).not.toThrow();
  });

  it('a job missing, twice, or handed over by nobody stops the boot', () => {
    expect(() => checkJobs(jobTable.slice(1))).toThrow(/0 handlers/);
    expect(() => checkJobs([...jobTable, jobTable[0]!])).toThrow(/2 handlers/);
    expect(() => checkJobs([...jobTable, { kind: 'laundry' }])).toThrow(/laundry/);
  });
});

describe('the table of routes', () => {
  const first = routes[0]!;
  const without = (change: object) => [{ ...first, operation: { ...first.operation, ...change } }, ...routes.slice(1)];

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
