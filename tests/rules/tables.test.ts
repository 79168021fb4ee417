import { describe, expect, it } from 'vitest';
import { checkRoutes, routes } from '#api/routes/index.ts';
import { operations } from '#contract/index.ts';

describe('the table of routes', () => {
  const first = routes[0]!;
  const without = (change: object) => [
    { ...first, operation: { ...first.operation, ...change } },
    ...routes.slice(1),
  ];

  it('is complete', () => {
    expect(() => checkRoutes(routes, operations)).not.toThrow();
  });

  it('stops the boot when a route is missing or twice', () => {
    expect(() => checkRoutes(routes.slice(1), operations)).toThrow(first.key);
    expect(() => checkRoutes([...routes, first], operations)).toThrow(first.key);
  });

  it('stops the boot when a route has no policy', () => {
    expect(() => checkRoutes(without({ rateClass: undefined }), operations)).toThrow(first.key);
    expect(() => checkRoutes(without({ readOnlyToken: undefined }), operations)).toThrow(first.key);
  });

  it('stops the boot when a route has no response schema', () => {
    expect(() => checkRoutes(without({ responses: {} }), operations)).toThrow(first.key);
  });
});
