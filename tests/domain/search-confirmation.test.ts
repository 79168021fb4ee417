import { describe, expect, test } from 'vitest';
import { searchWithConfirmation } from '#domain/tracking/rankings/search-with-confirmation.ts';

describe('the second search of a market whose apps were dropped', () => {
  /** So many results, with apps at these positions. */
  const list = (count: number, apps: Record<string, number> = {}) =>
    Array.from({ length: count }, (_, index) => ({
      storeAppId: Object.keys(apps).find((id) => apps[id] === index + 1) ?? `other.${index}`,
    }));
  const market = {
    store: 'android',
    depth: 200,
    usualResults: 30,
    attempts: 0,
    unconfirmedSince: new Date('2026-06-01T01:59:00Z'),
    unconfirmedResults: 30,
    tracked: ['a', 'b'].map((storeAppId) => ({ storeAppId, previousPosition: 3 })),
  };
  /** The positions of both apps in the result that is believed. */
  const search = async (...responses: { storeAppId: string }[][]) => {
    const services = {
      clock: { now: () => new Date('2026-06-01T02:00:00Z') },
      settings: { egress: () => [] },
      stores: {
        android: {
          search: async () => ({
            items: responses.shift(),
            end: 'exhausted',
            cost: { requests: 1, bytes: 1, ms: 1 },
          }),
        },
      },
    };
    const { items, cost } = await searchWithConfirmation(
      services as never,
      market as never,
      {} as never,
    );
    expect(cost.requests).toBe(2);
    return ['a', 'b'].map((id) => items.findIndex((item) => item.storeAppId === id) + 1 || null);
  };

  test('is believed where it has them, although it is shorter', async () => {
    expect(await search(list(30), list(29, { a: 3, b: 4 }))).toEqual([3, 4]);
  });

  test('confirms the apps that it lacks too', async () => {
    expect(await search(list(30), list(30))).toEqual([null, null]);
    expect(await search(list(30, { b: 5 }), list(29, { b: 6 }))).toEqual([null, 5]);
    expect(await search(list(29, { b: 6 }), list(30, { b: 5 }))).toEqual([null, 5]);
  });

  test('confirms nothing where it lacks others, or is far shorter', async () => {
    const unconfirmed = { marker: 'implausible' };
    await expect(search(list(30, { a: 3 }), list(30, { b: 3 }))).rejects.toMatchObject(unconfirmed);
    await expect(search(list(30, { a: 3 }), list(17))).rejects.toMatchObject(unconfirmed);
    await expect(search(list(17), list(30, { a: 3 }))).rejects.toMatchObject(unconfirmed);
  });
});
