import './api.fixtures.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { hideToast, readToasts } from '#web/components/toasts/toast-store.ts';
import { useActionMoves } from '#web/pages/actions/use-action-moves.ts';
import { usePauseKeyword } from '#web/pages/actions/use-pause-keyword.ts';
import { keywordPagesQuery } from '#web/queries/keywords.ts';
import { Refusal, stubApi } from './api.fixtures.ts';
import { leavePage, listTones, undo } from './left-page.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

afterEach(() => readToasts().forEach(({ id }) => hideToast(id)));

const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const [tomorrow, nextWeek, anHourAgo] = [24, 168, -1].map(hoursAhead) as [string, string, string];
const actions = [null, tomorrow, nextWeek, tomorrow, anHourAgo].map((snoozedUntil, index) => ({
  id: index + 1,
  snoozedUntil,
}));
const reopened = { ids: [1, 2, 3, 4, 5], op: 'reopen' };

/** The bodies of the requests of an undo; a refusal is the response to all of them. */
async function moveAndUndo(refusal?: Refusal): Promise<unknown[]> {
  const sent: unknown[] = [];
  stubApi(() => ({ updated: 5 }));
  const moves = leavePage(useActionMoves);
  await moves.mutateAsync({ actions, move: { op: 'snooze', until: hoursAhead(48) } });
  expect(listTones()).toEqual(['neutral']);
  const refreshed = vi.spyOn(moves.client, 'invalidateQueries');
  stubApi((_method, _path, body) => {
    sent.push(body);
    return refusal ?? { updated: 5 };
  });
  undo();
  await vi.waitFor(() => expect(refreshed).toHaveBeenCalled());
  return sent;
}

test('an undo snoozes actions again until their earlier instants, if these are ahead', async () => {
  expect(await moveAndUndo()).toEqual([
    reopened,
    { ids: [2, 4], op: 'snooze', until: tomorrow },
    { ids: [3], op: 'snooze', until: nextWeek },
  ]);
  expect(listTones()).toEqual([]);
});

test('a refused undo is shown, and snoozes nothing', async () => {
  expect(await moveAndUndo(new Refusal(409, '/actions/bulk'))).toEqual([reopened]);
  expect(listTones()).toEqual(['failure']);
});

test('a keyword that an action pauses is read again in the lists of its app', async () => {
  stubApi(() => ({}));
  const { client, ...pause } = leavePage(() =>
    usePauseKeyword({ appId: 1, keywordId: 5, onDone: () => undefined }),
  );
  const keys = [1, 2].map((appId) => keywordPagesQuery(appId).queryKey);
  for (const key of keys) client.setQueryData(key, { pages: [], pageParams: [] });
  await pause.mutateAsync();
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, false]);
});
