import './api.fixtures.ts';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import type { Keyword } from '#web/api.ts';
import { hideToast, readToasts } from '#web/components/toasts/toast-store.ts';
import { saveEdit } from '#web/pages/keywords/edit-rows.ts';
import { useKeywordActions } from '#web/pages/keywords/keyword-actions.ts';
import { useKeywordRows } from '#web/pages/keywords/use-keyword-rows.ts';
import { keywordPagesQuery } from '#web/queries/keywords.ts';
import { Refusal, stubApi } from './api.fixtures.ts';
import { leavePage, listTones, undo } from './left-page.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const row = (id: number): Keyword =>
  ({ id, phrase: `phrase ${id}`, tags: [] as string[], favorite: false }) as Keyword;

/**
 * A list of two pages. Responses with pages after the first are held until `release`; those to
 * changes wait for what `save` does meanwhile.
 */
async function openList() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const server = { favorite: false };
  const held: (() => void)[] = [];
  let requests = 0;
  let meanwhile: () => Promise<unknown>;
  stubApi(async (method, path) => {
    if (method === 'POST') {
      await meanwhile();
      server.favorite = true;
      return {};
    }
    const isSecond = path.includes('cursor=');
    const items = [isSecond ? row(2) : { ...row(1), favorite: server.favorite }];
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
  const save = async (during: () => Promise<unknown>) => {
    meanwhile = during;
    const set = { favorite: true };
    const { error } = await saveEdit(client, 1, { keywords: [row(1)], set });
    expect(error).toBeNull();
  };
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

/** The list of an app, with rows on one page, and its actions. */
function openRows(rows: Keyword[]) {
  const { client, ...actions } = leavePage(() => useKeywordActions(1));
  client.setQueryData(keywordPagesQuery(1).queryKey, {
    pages: [{ items: rows, total: rows.length, nextCursor: null }],
    pageParams: [undefined],
  });
  const shown = () => leavePage(() => useKeywordRows(1), client);
  return { ...actions, client, shown };
}

test('edits are shown before they are saved, and not when saving fails', async () => {
  const held: (() => void)[] = [];
  stubApi(async (_method, path) => {
    await new Promise<void>((resolve) => held.push(resolve));
    return new Refusal(409, path);
  });
  const { client, update, remove, shown } = openRows([row(1), row(2), row(3)]);
  const list = () => {
    const { keywords: rows, total } = shown();
    return [total, ...rows.map(({ id, favorite }) => `${id} ${favorite ? 'star' : 'plain'}`)];
  };
  const before = list();
  update.mutate({ keywords: [row(1)], set: { favorite: true } });
  remove.mutate({ keywords: [row(2)] });
  expect(list()).toEqual([2, '1 star', '3 plain']);
  await vi.waitFor(() => {
    held.pop()?.();
    expect(client.isMutating()).toBe(0);
  });
  expect(list()).toEqual(before);
});

const keywords = Array.from({ length: 1_000 }, (_, index) => row(index + 1));

/** A list of 1,000 keywords, and a server that refuses the third batch of a change. */
function openLongList() {
  const sent: { path: string; ids: number[] }[] = [];
  stubApi((method, path, body) => {
    if (method === 'GET') return { items: [] };
    sent.push({ path, ids: (body as { ids: number[] }).ids });
    return sent.length === 3 ? new Refusal(409, path) : {};
  });
  const { shown: read, ...actions } = openRows(keywords);
  const shown = () => read().keywords.toSorted((a, b) => a.id - b.id);
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
  const remove = (ids: number[]) => saveEdit(client, 1, { keywords: ids.map(row) });
  stubApi(() => ({}));
  await remove([1, 2, 501]);
  expect(totals()).toEqual([997, 997]);
  stubApi((_method, path) => new Refusal(409, path));
  await remove([3]);
  expect(totals()).toEqual([997, 997]);
});

test('a removal that fails midway shows what is removed, and offers to restore that', async () => {
  const { remove, shown, undoAll } = openLongList();
  await expect(remove.mutateAsync({ keywords })).rejects.toMatchObject({ status: 409 });
  expect([shown().length, shown().at(0)?.id]).toEqual([600, 401]);
  expect(listTones()).toEqual(['neutral', 'failure']);
  expect(toasts()).toContain('keywords.removedPartly');
  expect(await undoAll()).toEqual(keywords.slice(0, 400).map(({ id }) => id));
});

test('presses of a star are saved in order, and only the last one is shown', async () => {
  const server = { favorite: false };
  const held: (() => void)[] = [];
  stubApi(async (method, _path, body) => {
    if (method === 'GET') return { items: [] };
    await new Promise<void>((resolve) => held.push(resolve));
    server.favorite = (body as { set: { favorite: boolean } }).set.favorite;
    return {};
  });
  const { client, update, shown } = openRows([row(1)]);
  const isStarred = () => shown().keywords[0]!.favorite;
  for (const favorite of [true, false]) {
    update.mutate({ keywords: [row(1)], set: { favorite }, silent: true });
    await vi.waitFor(() => expect(isStarred()).toBe(favorite));
  }
  const seen = new Set<boolean>();
  await vi.waitFor(() => {
    // The response to the newest request comes first.
    held.pop()?.();
    seen.add(isStarred());
    expect(client.isMutating()).toBe(0);
  });
  expect([server.favorite, ...seen]).toEqual([false, false]);
});
