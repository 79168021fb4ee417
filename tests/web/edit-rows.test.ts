import './api.fixtures.ts';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type { Keyword } from '#web/api.ts';
import { editRows } from '#web/pages/keywords/edit-rows.ts';
import { keywordPagesQuery } from '#web/queries/keywords.ts';
import { stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const addStar = (keyword: Keyword): Keyword =>
  keyword.id === 1 ? { ...keyword, favorite: true } : keyword;

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
    editRows(client, 1, addStar, async () => {
      await during();
      server.favorite = true;
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
  const saved = save(async () => {
    expect(stars()).toEqual([true]);
    throw new Error('refused');
  });
  await expect(saved).rejects.toThrow('refused');
  expect(stars()).toEqual([false]);
  close();
});
