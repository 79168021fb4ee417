import { afterEach, expect, test, vi } from 'vitest';
import { Refusal, stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const { searchByName } = await import('#web/pages/welcome/search-by-name.ts');
const { measureProgress, updateProgress } = await import('#web/pages/welcome/check-progress.ts');
const { forgetFinishedSetups, setupKey } = await import('#web/frame/finished-setups.ts');

afterEach(() => void vi.unstubAllGlobals());

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

const rowsOf = (...pending: ('queued' | null)[]) =>
  pending.map((state, index) => ({ id: index + 1, pending: state }));
const measure = (...reads: ReturnType<typeof rowsOf>[]) => {
  const rows = reads.at(-1)!;
  const progress = reads.reduce(updateProgress, new Map() as ReturnType<typeof updateProgress>);
  return measureProgress(progress, { rows, total: rows.length, seconds: 10 });
};

test('the time left follows from the rows that were completed since the step was opened', () => {
  const opened = rowsOf(null, null, null, 'queued', 'queued', 'queued');
  expect(measure(opened)).toEqual({ counted: 3, secondsLeft: null });
  const later = rowsOf(null, null, null, null, 'queued', 'queued');
  expect(measure(opened, later)).toEqual({ counted: 4, secondsLeft: 20 });
});

test('a row that waits again stays counted, and a removed one does not', () => {
  const [opened, later] = [rowsOf('queued', 'queued', 'queued'), rowsOf(null, null, 'queued')];
  const again = rowsOf('queued', null, 'queued');
  expect(measure(opened, later, again)).toEqual({ counted: 2, secondsLeft: 5 });
  expect(measure(opened, later, again.slice(1))).toEqual({ counted: 1, secondsLeft: 10 });
});

test('adding an app forgets the setups that are finished, and only those', () => {
  const storage: Record<string, string> = Object.create({
    getItem: (key: string) => storage[key] ?? null,
    removeItem: (key: string) => delete storage[key],
  });
  storage[setupKey(1)] = JSON.stringify({ step: 'positions' });
  storage[setupKey(2)] = JSON.stringify({ step: 'countries' });
  storage['toprung.draft.note'] = 'positions';
  vi.stubGlobal('sessionStorage', storage);
  forgetFinishedSetups();
  expect(Object.keys(storage)).toEqual([setupKey(2), 'toprung.draft.note']);
});
