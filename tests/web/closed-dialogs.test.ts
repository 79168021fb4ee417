import './api.fixtures.ts';
import { afterEach, expect, test, vi } from 'vitest';
import type { Keyword } from '#web/api.ts';
import { hideToast, readToasts } from '#web/components/toasts/toast-store.ts';
import { useAddition } from '#web/pages/keywords/use-addition.ts';
import { countRequests, useBulkCheck } from '#web/pages/keywords/use-bulk-check.ts';
import { Refusal, stubApi } from './api.fixtures.ts';
import { leavePage, listTones } from './left-page.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

afterEach(() => readToasts().forEach(({ id }) => hideToast(id)));

/** A dialog that was closed while it was sending. */
function closeDialog(add: () => Promise<{ added: number; existing: number }>) {
  const done = vi.fn();
  const close = vi.fn();
  const dialog = leavePage(() => useAddition<string>({ add, onDone: done, onClose: close }));
  return { ...dialog, done, close };
}

test('an addition that fails after its dialog was closed is reported', async () => {
  const { mutateAsync, done } = closeDialog(() => Promise.reject(new Error('refused')));
  await expect(mutateAsync('two\nphrases')).rejects.toThrow('refused');
  expect(listTones()).toEqual(['failure']);
  expect(done).not.toHaveBeenCalled();
});

test('an addition that ends after its dialog was closed closes no other', async () => {
  const { mutateAsync, done, close } = closeDialog(async () => ({ added: 2, existing: 0 }));
  await mutateAsync('two\nphrases');
  expect(listTones()).toEqual(['success']);
  expect(done).toHaveBeenCalledWith('two\nphrases');
  expect(close).not.toHaveBeenCalled();
});

test('a check of many keywords reports what it left out before a request is refused', async () => {
  const keywords = Array.from({ length: 1_001 }, (_, index) => ({ id: index + 1 })) as Keyword[];
  let requests = 0;
  stubApi((_method, path) => {
    requests += 1;
    if (requests === 2) return new Refusal(429, path);
    return { job: null, skipped: [{ keywordId: 1, reason: 'paused' }] };
  });
  const { mutateAsync } = leavePage(() => useBulkCheck(1));
  await mutateAsync(keywords);
  expect(requests).toBe(2);
  expect(listTones()).toEqual(['neutral', 'failure']);
  expect(JSON.stringify(readToasts())).toContain('bulk.skipped.paused');
  expect([1, 500, 501, 1_001].map(countRequests)).toEqual([1, 1, 2, 3]);
});
