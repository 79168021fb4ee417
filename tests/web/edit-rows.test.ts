import './api.fixtures.ts';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import type { Keyword } from '#web/api.ts';
import { hideToast, readToasts } from '#web/components/toasts/toast-store.ts';
import { editRows } from '#web/pages/keywords/edit-rows.ts';
import { useKeywordActions } from '#web/pages/keywords/keyword-actions.ts';
import { keywordPagesQuery } from '#web/queries/keywords.ts';
import { Refusal, stubApi } from './api.fixtures.ts';
import { leavePage, listTones, undo } from './left-page.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const addStar = (keyword: Keyword): Keyword => ({ ...keyword, favorite: true });

/** A list of two pages. Responses after the first page are held until `release`. */
async function openList() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const server = { favorite: false };
  const held: (() => void)[] = [];
  let requests = 0;
  stubApi(async (_method, path) => {
    const isSecond = path.includes('cursor=');
    const items = [isSecond ? { id: 2, favorite: false } : { id: 1, favorite: server.favorite }];
    requests += 1;
    if (requests > 1) await new Promise<void>((resolve) => held.push(resolve));
    return { items, total: 2, nextCursor: isSecond ? null : 'second' };
  });
  const list = new InfiniteQueryObserver(client, keywordPagesQuery(1));
  const close = list.subscribe(() => {});
  await vi.waitFor(() => expect(list.getCurrentResult().isSuccess).toBe(true));
  const release = () =>
    vi.waitFor(() => {
      for (const send of held.splice(0)) send();
      expect(client.isFetching()).toBe(0);
    });
  const stars = () =>
    list.getCurrentResult().data?.pages.flatMap(({ items }) => items.map((item) => item.favorite));
  const save = (during: () => Promise<unknown>) =>
    editRows(client, 1, {
      ids: [1],
      change: addStar,
      save: async () => {
        await during();
        server.favorite = true;
      },
    });
  return { list, release, stars, save, close };
}

test('a star stays if a page that was loading arrives before it is saved', async () => {
  const { list, release, stars, save, close } = await openList();
  void list.fetchNextPage({ cancelRefetch: false });
  await save(release);
  expect(stars()).toEqual([true, false]);
  close();
});

test('a star stays if a page that was loading arrives after it is saved', async () => {
  const { list, release, stars, save, close } = await openList();
  void list.fetchNextPage({ cancelRefetch: false });
  await save(async () => {});
  expect(stars()).toEqual([true]);
  await release();
  expect(stars()).toEqual([true]);
  void list.fetchNextPage({ cancelRefetch: false });
  await release();
  expect(stars()).toEqual([true, false]);
  close();
});

test('a star stays if the list was being read again', async () => {
  const { list, release, stars, save, close } = await openList();
  void list.refetch();
  await save(async () => {});
  await release();
  expect(stars()).toEqual([true]);
  close();
});

test('rows are as before when saving fails', async () => {
  const { stars, save, close } = await openList();
  const outcome = await save(async () => {
    expect(stars()).toEqual([true]);
    throw new Error('refused');
  });
  expect(outcome).toEqual({ savedIds: new Set(), error: new Error('refused') });
  expect(stars()).toEqual([false]);
  close();
});

const keywords = Array.from({ length: 1_000 }, (_, index) => ({
  id: index + 1,
  tags: [] as string[],
})) as Keyword[];

/** A list of 1,000 keywords, and a server that refuses the third batch of a change. */
function openLongList() {
  const sent: { path: string; ids: number[] }[] = [];
  stubApi((method, path, body) => {
    if (method === 'GET') return { items: [] };
    sent.push({ path, ids: (body as { ids: number[] }).ids });
    return sent.length === 3 ? new Refusal(409, path) : {};
  });
  const { client, ...actions } = leavePage(() => useKeywordActions(1));
  const { queryKey } = keywordPagesQuery(1);
  client.setQueryData(queryKey, {
    pages: [{ items: keywords, total: 1_000, nextCursor: null }],
    pageParams: [undefined],
  });
  const shown = () => client.getQueryData(queryKey)!.pages.flatMap(({ items }) => items);
  const undoAll = async () => {
    sent.length = 0;
    // Only the third request is refused.
    undo();
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    return sent.flatMap(({ ids }) => ids);
  };
  return { ...actions, shown, undoAll };
}

const toasts = () => JSON.stringify(readToasts().map(({ message }) => message));
afterEach(() => readToasts().forEach(({ id }) => hideToast(id)));

test('a change that fails midway shows what is changed, and offers to undo that', async () => {
  const { update, shown, undoAll } = openLongList();
  const sent = update.mutateAsync({ keywords, set: { addTags: ['new'] } });
  await expect(sent).rejects.toMatchObject({ status: 409 });
  expect(shown().filter(({ tags }) => tags.length > 0)).toHaveLength(400);
  expect(listTones()).toEqual(['neutral', 'failure']);
  expect(toasts()).toContain('keywords.changedPartly');
  expect(await undoAll()).toEqual(keywords.slice(0, 400).map(({ id }) => id));
});

test('the total of a list is that of the rows that are left on all of its pages', async () => {
  const client = new QueryClient();
  const { queryKey } = keywordPagesQuery(1);
  const pages = [keywords.slice(0, 500), keywords.slice(500)].map((items) => ({
    items,
    total: 1_000,
    nextCursor: null,
  }));
  client.setQueryData(queryKey, { pages, pageParams: [undefined, 'second'] });
  const totals = () => client.getQueryData(queryKey)!.pages.map(({ total }) => total);
  const remove = (ids: number[], save: () => Promise<unknown>) =>
    editRows(client, 1, { ids, change: () => null, save });
  await remove([1, 2, 501], async () => expect(totals()).toEqual([997, 997]));
  expect(totals()).toEqual([997, 997]);
  await remove([3], () => Promise.reject(new Error('refused')));
  expect(totals()).toEqual([997, 997]);
});

test('a removal that fails midway shows what is removed, and offers to restore that', async () => {
  const { remove, shown, undoAll } = openLongList();
  await expect(remove.mutateAsync(keywords)).rejects.toMatchObject({ status: 409 });
  expect([shown().length, shown().at(0)?.id]).toEqual([600, 401]);
  expect(listTones()).toEqual(['neutral', 'failure']);
  expect(toasts()).toContain('keywords.removedPartly');
  expect(await undoAll()).toEqual(keywords.slice(0, 400).map(({ id }) => id));
});
