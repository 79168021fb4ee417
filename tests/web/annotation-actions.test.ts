import './api.fixtures.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { AnnotationForm } from '#web/annotations/annotation-form.tsx';
import { useAnnotationActions } from '#web/annotations/use-annotation-actions.ts';
import { hideToast, readToasts } from '#web/components/toasts/toast-store.ts';
import { Refusal, stubApi, stubDeletion } from './api.fixtures.ts';
import { leavePage, listTones, undo } from './left-page.fixtures.ts';

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

test('an annotation that is saved after its form was left closes no other form', async () => {
  const close = vi.fn();
  const save = vi.fn(() => Promise.resolve());
  const form = leavePage(() =>
    AnnotationForm({
      name: 'note-of-day',
      initial: { date: '2026-11-23', text: 'New icon', keywordIds: [] },
      saving: false,
      onSave: save,
      onSaved: close,
      onCancel: close,
    }),
  );
  form.props.onSubmit({ preventDefault: vi.fn() });
  await vi.waitFor(() => expect(save).toHaveBeenCalled());
  await Promise.resolve();
  expect(close).not.toHaveBeenCalled();
});

test('the Undo saves an annotation again without keywords that no longer exist', async () => {
  const sent: unknown[] = [];
  stubApi((method, path, body) => {
    if (method === 'DELETE') return {};
    if (method === 'GET')
      return {
        items: path.includes('/removed-keywords') ? [{ id: 12 }] : [{ id: 11 }, { id: 14 }],
        nextCursor: null,
      };
    sent.push((body as { keywordIds: number[] }).keywordIds);
    return sent.length > 1 ? {} : new Refusal(404, path, { code: 'not_found' });
  });
  const { client, remove: removal } = leavePage(() => useAnnotationActions(1));
  removal.mutate({ ...note, keywordIds: [11, 12, 13] });
  await vi.waitFor(() => expect(listTones()).toEqual(['neutral']));
  undo();
  await vi.waitFor(() => {
    expect(sent).toEqual([
      [11, 12, 13],
      [11, 12],
    ]);
    expect(client.isMutating()).toBe(0);
  });
  expect(listTones()).toContain('success');
});
