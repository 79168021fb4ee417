import './api.fixtures.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { useAnnotationActions } from '#web/annotations/use-annotation-actions.ts';
import { hideToast, readToasts } from '#web/components/toasts/toast-store.ts';
import { Refusal, stubApi, stubDeletion } from './api.fixtures.ts';
import { leavePage, listTones } from './left-page.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

afterEach(() => readToasts().forEach(({ id }) => hideToast(id)));

const note = { id: 7, appId: 1, date: '2026-11-23', text: 'New icon', keywordIds: [] };

async function remove(times: number): Promise<void> {
  const { client, remove: removal } = leavePage(() => useAnnotationActions(1));
  for (let time = 0; time < times; time += 1) removal.mutate(note);
  await vi.waitFor(() => expect(client.isMutating()).toBe(0));
}

test('two presses delete an annotation once, without an error', async () => {
  stubDeletion();
  await remove(2);
  expect(listTones()).toEqual(['neutral']);
});

test('an annotation that cannot be deleted is reported', async () => {
  stubApi((_method, path) => new Refusal(403, path, { code: 'forbidden' }));
  await remove(1);
  expect(listTones()).toEqual(['failure']);
});
