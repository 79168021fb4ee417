import { expect, test, vi } from 'vitest';
import { Refusal, stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const { searchByName } = await import('#web/pages/welcome/search-by-name.ts');

/** Stores that refuse; the others find one app. */
const refuseSearches = (stores: string[]) =>
  stubApi((_method, path) => {
    const store = new URL(path, 'http://api').searchParams.get('store')!;
    return stores.includes(store)
      ? new Refusal(503, path, { code: 'store_unavailable' })
      : { items: [{ store, name: 'Lumen' }] };
  });
const lumen = { term: 'Lumen', country: 'us' };

test('a search by name returns what one store found and the failure of the other', async () => {
  refuseSearches(['ios']);
  expect(await searchByName(lumen)).toMatchObject({
    found: [{ store: 'android' }],
    failed: [{ store: 'ios', error: { envelope: { code: 'store_unavailable' } } }],
  });
  refuseSearches([]);
  expect(await searchByName(lumen)).toMatchObject({
    found: [{ store: 'ios' }, { store: 'android' }],
    failed: [],
  });
  refuseSearches(['ios', 'android']);
  await expect(searchByName(lumen)).rejects.toMatchObject({ envelope: { statusCode: 503 } });
});
