import { openFrameDialog } from '#web/frame-dialog.ts';

/** A field that two people changed, as texts. */
export interface ConflictChange {
  label: string;
  theirs: string;
  mine: string;
}
export type Choice = 'mine' | 'theirs' | null;

interface Conflict {
  changes: readonly ConflictChange[];
  choose: (choice: Choice) => void;
}

let current: Conflict | null = null;

/** The conflict that the dialog of the frame shows. */
export const getConflict = (): Conflict | null => current;

/** Opens the dialog. Null when it is closed without a choice. */
export function askForChoice(changes: readonly ConflictChange[]): Promise<Choice> {
  return new Promise((resolve) => {
    current = {
      changes,
      choose(choice) {
        resolve(choice);
        openFrameDialog(null);
      },
    };
    openFrameDialog('conflict', () => resolve(null));
  });
}
