import { expect, test } from 'vitest';
import { createPaceQueue, type Lane } from '#stores/pace-queue.ts';

/** Joins waiters in order, each as `lane workspace`, and returns them as they are served. */
async function serveAll(waiters: [lane: Lane, workspaceId: number | undefined][]) {
  const queue = createPaceQueue<number>();
  const served: string[] = [];
  const { signal } = new AbortController();
  const all = waiters.map(async ([lane, workspaceId], index) => {
    const options = { lane, workspaceId, signal, maxWaitMs: null, tooLong: () => new Error() };
    await queue.join(options);
    served.push(`${lane} ${workspaceId ?? '-'} #${index}`);
  });
  while (queue.serve(0));
  await Promise.all(all);
  return served;
}

test('workspaces are served round-robin in a lane, and each keeps its order', async () => {
  expect(
    await serveAll([
      ['interactive', 1],
      ['interactive', 1],
      ['interactive', 1],
      ['interactive', 2],
      ['interactive', undefined],
      ['interactive', 2],
    ]),
  ).toEqual([
    'interactive 1 #0',
    'interactive 2 #3',
    'interactive - #4',
    'interactive 1 #1',
    'interactive 2 #5',
    'interactive 1 #2',
  ]);
});

test('interactive work comes before the run', async () => {
  expect(
    await serveAll([
      ['run', undefined],
      ['interactive', 1],
    ]),
  ).toEqual(['interactive 1 #1', 'run - #0']);
});

test('a waiter that leaves gets no grant', async () => {
  const queue = createPaceQueue<number>();
  const leaving = new AbortController();
  const join = (workspaceId: number, { signal } = new AbortController()) =>
    queue.join({
      lane: 'interactive',
      workspaceId,
      signal,
      maxWaitMs: null,
      tooLong: () => new Error(),
    });
  const gone = join(1, leaving);
  const next = join(2);
  leaving.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  expect([queue.length, queue.serve(7), await next, queue.serve(8)]).toEqual([1, true, 7, false]);
});
