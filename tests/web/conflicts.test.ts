import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { askForChoice, getConflict } from '#web/conflict/conflict.ts';
import { openFrameDialog } from '#web/frame-dialog.ts';

// The dialog returns the focus to an element.
beforeAll(() => {
  vi.stubGlobal('document', { activeElement: null });
  vi.stubGlobal('HTMLElement', class {});
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
