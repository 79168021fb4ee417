import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { askForChoice, getConflict, subscribeConflict } from '#web/conflict/conflict.ts';
import { openFrameDialog, readFrameDialog } from '#web/frame-dialog.ts';

// The dialog returns the focus to an element.
beforeAll(() => {
  vi.stubGlobal('document', { activeElement: null });
  vi.stubGlobal('HTMLElement', class {});
  vi.stubGlobal('requestAnimationFrame', () => 0);
});
afterAll(() => void vi.unstubAllGlobals());

const changes = [{ label: 'Note', theirs: 'a', mine: 'b' }];

test.each([null, 'palette'] as const)(
  'a save that waits for a choice ends without one when its dialog is replaced by %s',
  async (next) => {
    const onChoice = vi.fn();
    void askForChoice(changes).then(onChoice);
    openFrameDialog(next);
    await vi.waitFor(() => expect(onChoice).toHaveBeenCalledWith(null));
    openFrameDialog(null);
  },
);

test('a save has the choice of its dialog', async () => {
  const choice = askForChoice(changes);
  getConflict()!.choose('theirs');
  expect(await choice).toBe('theirs');
});

test('two conflicts are decided one after the other', async () => {
  const others = [{ label: 'Tags', theirs: 'c', mine: 'd' }];
  const onChange = vi.fn();
  const unsubscribe = subscribeConflict(onChange);
  const choices = [askForChoice(changes), askForChoice(others)];
  const first = getConflict()!;
  expect(first.changes).toBe(changes);
  onChange.mockClear();
  first.choose('mine');
  expect(onChange).toHaveBeenCalled();
  expect(getConflict()!.changes).toBe(others);
  getConflict()!.choose('theirs');
  expect(await Promise.all(choices)).toEqual(['mine', 'theirs']);
  expect(getConflict()).toBeNull();
  unsubscribe();
});

test('waiting conflicts end without a choice when another dialog replaces the first', async () => {
  const choices = [askForChoice(changes), askForChoice(changes)];
  openFrameDialog('palette');
  expect(await Promise.all(choices)).toEqual([null, null]);
  expect(readFrameDialog()).toBe('palette');
  openFrameDialog(null);
});
