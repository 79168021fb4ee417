import { afterEach, expect, test } from 'vitest';
import {
  hideToast,
  readToasts,
  showToast,
  updateToast,
} from '#web/components/toasts/toast-store.ts';

const ids: string[] = [];
const show = (id: string, closesAfterMs: number | null, tone: 'failure' | 'neutral' = 'neutral') =>
  ids.push(showToast({ id, message: id, tone, closesAfterMs }));
const shown = () => readToasts().map(({ id }) => id);
afterEach(() => ids.splice(0).forEach((id) => hideToast(id)));

test('four toasts are shown at once, and the others afterwards', () => {
  for (const id of ['a', 'b', 'c', 'd', 'e']) show(id, 1_000);
  expect(shown()).toEqual(['a', 'b', 'c', 'd']);
  hideToast('b');
  expect(shown()).toEqual(['a', 'c', 'd', 'e']);
});

test('toasts of running jobs keep no other toast waiting', () => {
  for (const id of ['job 1', 'job 2', 'job 3']) show(id, null);
  show('saved', 1_000);
  expect(shown()).toEqual(['job 1', 'job 2', 'saved']);
  hideToast('job 1');
  expect(shown()).toEqual(['job 2', 'job 3', 'saved']);
});

test('a shown toast stays when its job ends', () => {
  show('job', null);
  for (const id of ['a', 'b', 'c', 'd']) show(id, 1_000);
  updateToast('job', { closesAfterMs: 1_000 });
  expect(shown()).toEqual(['job', 'a', 'b', 'c', 'd']);
});

test('a toast that was closed is not changed, and a second one replaces the first', () => {
  show('job', null);
  hideToast('job');
  updateToast('job', { message: 'done' });
  expect(shown()).toEqual([]);
  show('a', 1_000);
  show('a', 2_000);
  expect(shown()).toEqual(['a']);
});

test('failures stay, keep no other toast waiting, and the newest replaces the oldest', () => {
  for (const id of ['job 1', 'job 2']) show(id, null);
  for (const id of ['failure 1', 'failure 2', 'failure 3']) show(id, null, 'failure');
  for (const id of ['a', 'b', 'c', 'd']) show(id, 1_000);
  expect(shown()).toEqual(['job 1', 'job 2', 'failure 2', 'failure 3', 'a', 'b', 'c', 'd']);
  updateToast('job 1', { tone: 'failure' });
  expect(shown()).not.toContain('job 1');
});
