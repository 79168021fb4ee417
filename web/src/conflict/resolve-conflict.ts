import { showSuccess } from '../components/toasts/toasts.tsx';
import { i18next } from '../i18n.ts';
import { askForChoice } from './conflict.ts';
import { type Fields, mergeFields } from './merge-fields.ts';
import type { VersionedSave } from './save-versioned.ts';

/** The state to save, `theirs` when mine was given up, or null for no choice. */
export async function resolveConflict<T extends Fields>(
  base: T,
  mine: T,
  theirs: T,
  describe: VersionedSave<T, unknown>['describe'],
): Promise<T | 'theirs' | null> {
  const merge = mergeFields(base, mine, theirs);
  if (merge.conflicts.length > 0) {
    const choice = await askForChoice(merge.conflicts.map((name) => describe(name, theirs, mine)));
    return choice === 'mine' ? merge.merged : choice;
  }
  if (merge.theirs.length > 0) {
    const labels = merge.theirs.map((name) => describe(name, theirs, mine).label);
    showSuccess(i18next.t('conflict.merged', { fields: labels.join(', ') }));
  }
  return merge.merged;
}
