import './api.fixtures.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { hideToast, readToasts } from '#web/components/toasts/toast-store.ts';
import { useCompetitorMutations } from '#web/pages/competitors/use-competitor-mutations.ts';
import type { Competitor } from '#web/queries/competitors.ts';
import { Refusal, stubApi, stubDeletion } from './api.fixtures.ts';
import { leavePage, listTones, undo } from './left-page.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

afterEach(() => readToasts().forEach(({ id }) => hideToast(id)));

const competitor = { id: 3, name: 'Streaky', storeAppId: '33' } as Competitor;
const leaveCompetitors = (options?: { showsAddError: boolean }) =>
  leavePage(() => useCompetitorMutations(options));

test('a refused undo of a removed competitor is shown after the page was left', async () => {
  stubApi((method, path) => (method === 'DELETE' ? {} : new Refusal(409, path)));
  const { remove } = leaveCompetitors();
  await remove.mutateAsync({ appId: 1, competitor });
  expect(listTones()).toEqual(['neutral']);
  undo();
  await vi.waitFor(() => expect(listTones()).toEqual(['failure']));
});

test('two presses archive a competitor once, without an error', async () => {
  stubDeletion();
  const { client, remove } = leaveCompetitors();
  const refreshed = vi.spyOn(client, 'invalidateQueries');
  for (const _press of [1, 2]) remove.mutate({ appId: 1, competitor });
  await vi.waitFor(() => expect(client.isMutating()).toBe(0));
  expect(listTones()).toEqual(['neutral']);
  expect(refreshed).toHaveBeenCalled();
});

test.each([true, false])(
  'a refused competitor is reported after the page or the dialog was left (%s)',
  async (showsAddError) => {
    stubApi((_method, path) => new Refusal(409, path));
    const { client, add } = leaveCompetitors({ showsAddError });
    add.mutate({ appId: 1, storeAppId: '33' });
    await vi.waitFor(() => expect(client.isMutating()).toBe(0));
    expect(listTones()).toEqual(['failure']);
  },
);
