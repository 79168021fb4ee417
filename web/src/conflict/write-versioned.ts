import { isApiError } from '../describe-error.ts';
import { type Fields, listChanged } from './merge-fields.ts';
import { resolveConflict } from './resolve-conflict.ts';
import type { VersionedOutcome, VersionedSave } from './save-versioned.ts';

/** Others may change it again and again while this person decides. */
const maxAttempts = 10;

/** See `saveVersioned`. */
export async function writeVersioned<T extends Fields, Saved>(
  save: VersionedSave<T, Saved>,
): Promise<VersionedOutcome<T, Saved>> {
  let { base, mine } = save;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const changed = listChanged(base.fields, mine);
      const saved = await save.write(mine, { ifMatch: base.etag, changed });
      return { kind: 'saved', saved, isMerged: attempt > 1 };
    } catch (error) {
      if (!isApiError(error, 'precondition_failed') || attempt === maxAttempts) throw error;
    }
    const theirs = await save.read();
    const resolved = await resolveConflict(base.fields, mine, theirs.fields, save.describe);
    if (resolved === 'theirs') return { kind: 'taken', theirs };
    if (resolved === null) return { kind: 'cancelled' };
    base = theirs;
    mine = resolved;
  }
}
