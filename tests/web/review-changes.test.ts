import './api.fixtures.ts';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { getConflict } from '#web/conflict/conflict.ts';
import { hideToast, readToasts } from '#web/components/toasts/toast-store.ts';
import { useReviewUpdate } from '#web/pages/reviews/use-review-update.ts';
import { reviewPagesQuery, type ReviewUpdate } from '#web/queries/reviews.ts';
import { Refusal, stubApi } from './api.fixtures.ts';
import { leavePage, listTones } from './left-page.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const query = reviewPagesQuery(1, {});
const unmarked = { id: 7, appId: 1, tags: [], note: null, read: false, etag: '"0"' };
let server: Record<string, unknown>;
let requests: string[];
/** Sends the response of each request that has none, in their order. */
let waiting: ((refusal?: Refusal) => void)[];
let client: QueryClient;
let list: InstanceType<typeof InfiniteQueryObserver>;

/** Reads see the server as it is when they arrive, and writes when they are responded to. */
async function respond(method: string, path: string, body: unknown, ifMatch: string | null) {
  const seen = { ...server };
  requests.push(`${method} ${path.replace(/\?.*/, '')}`);
  const refusal = await new Promise<Refusal | undefined>((resolve) => waiting.push(resolve));
  if (refusal) return refusal;
  if (method === 'GET' && path.startsWith('/reviews/')) return seen;
  if (method === 'GET') return { items: [seen], total: 2, nextCursor: 'next' };
  if (ifMatch !== server.etag) return new Refusal(412, path, { code: 'precondition_failed' });
  server = { ...server, ...(body as object), etag: `"${JSON.stringify(body)}"` };
  return server;
}
const release = async (refusal?: Refusal) => {
  await vi.waitFor(() => expect(waiting).not.toEqual([]));
  waiting.shift()!(refusal);
};
const saved = () => vi.waitFor(() => expect(client.isMutating()).toBe(0));
const countWrites = () => requests.filter((request) => request.startsWith('PATCH')).length;

/** The review as its row shows it now. */
function draw() {
  const row = client.getQueryData(query.queryKey)!.pages.at(0)!.items.at(0)!;
  return leavePage(() => useReviewUpdate(row), client);
}

// The texts of a conflict are loaded in the language.
beforeAll(async () => {
  if (!i18next.isInitialized) await i18next.init({ lng: 'en', fallbackLng: false, resources: {} });
  if (!i18next.language) await i18next.changeLanguage('en');
});
beforeEach(async () => {
  server = { ...unmarked };
  requests = [];
  waiting = [];
  stubApi(respond);
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  list = new InfiniteQueryObserver(client, query) as never;
  list.subscribe(() => {});
  await release();
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
});
afterAll(() => void vi.unstubAllGlobals());
afterEach(() => {
  client.clear();
  readToasts().forEach(({ id }) => hideToast(id));
});

test('quick changes of a review are saved one after another and keep each other', async () => {
  const row = draw();
  void row.update({ tags: ['bug'] });
  void row.update({ tags: ['bug', 'crash'] });
  expect(draw().review.tags).toEqual(['bug', 'crash']);
  await release();
  await vi.waitFor(() => expect(countWrites()).toBe(2));
  expect(draw().review.tags).toEqual(['bug', 'crash']);
  void draw().update({ tags: [...draw().review.tags, 'ios'] });
  void draw().update({ read: true });
  await release();
  await release();
  await release();
  await saved();
  expect(server).toMatchObject({ tags: ['bug', 'crash', 'ios'], read: true });
  expect(draw().review).toEqual(server);
  expect(requests.slice(1)).toEqual(Array.from({ length: 4 }, () => 'PATCH /reviews/7'));
});

test('a change that waits replaces no change of others that was not shown', async () => {
  // The dialog returns the focus to an element.
  vi.stubGlobal('document', { activeElement: null });
  vi.stubGlobal('HTMLElement', class {});
  vi.stubGlobal('requestAnimationFrame', () => 0);
  const row = draw();
  const outcomes = Promise.all([row.update({ read: true }), row.update({ tags: ['bug'] })]);
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  server = { ...server, tags: ['theirs'], etag: '"theirs"' };
  // Each is refused, and the review is read; the first one changes another field.
  for (let responses = 0; responses < 5; responses += 1) await release();
  await vi.waitFor(() => expect(getConflict()).not.toBeNull());
  getConflict()!.choose('theirs');
  expect(await outcomes).toEqual([true, true]);
  expect(server).toMatchObject({ read: true, tags: ['theirs'] });
  expect(draw().review).toEqual(server);
});

test('a change that fails is undone alone, and the list is read again', async () => {
  const row = draw();
  const outcomes = Promise.all([row.update({ read: true }), row.update({ tags: ['bug'] })]);
  expect(draw().review).toMatchObject({ read: true, tags: ['bug'] });
  await release(new Refusal(403, '/reviews/7', { code: 'forbidden' }));
  await vi.waitFor(() => expect(waiting).toHaveLength(2));
  expect(draw().review).toMatchObject({ read: false, tags: ['bug'] });
  const sendList = waiting.shift()!;
  await release();
  expect(await outcomes).toEqual([false, true]);
  sendList();
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  expect(draw().review).toEqual(server);
  expect(requests.at(-1)).toBe('PATCH /reviews/7');
  expect(listTones()).toEqual(['failure']);
});

test.each(['the list', 'the next page'])(
  'a read of %s that began before a change was saved does not bring the old review back',
  async (read) => {
    void (read === 'the list' ? list.refetch() : list.fetchNextPage());
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    const sendList = waiting.shift()!;
    void draw().update({ read: true });
    await release();
    await saved();
    sendList();
    await vi.waitFor(() => expect(client.isFetching()).toBe(0));
    expect(draw().review).toEqual({ ...unmarked, read: true, etag: server.etag });
    expect(client.getQueryData(query.queryKey)!.pages).toHaveLength(read === 'the list' ? 1 : 2);
    expect(requests).toHaveLength(3);
  },
);

test('a list that is read while a change is being saved shows the change', async () => {
  void draw().update({ read: true });
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  void list.refetch();
  await vi.waitFor(() => expect(waiting).toHaveLength(2));
  waiting.pop()!();
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  expect(draw().review.read).toBe(true);
  await release();
  await saved();
});

test('a note that is changed while it is being saved has no conflict with itself', async () => {
  const basedOn = { text: '', etag: unmarked.etag };
  const row = draw();
  const save = (marks: ReviewUpdate) => row.update(marks, basedOn);
  const outcomes = Promise.all([save({ note: 'Ask' }), save({ note: 'Ask for a log' })]);
  await release();
  await release();
  expect(await outcomes).toEqual([true, true]);
  expect(server.note).toBe('Ask for a log');
  expect(countWrites()).toBe(2);
});
