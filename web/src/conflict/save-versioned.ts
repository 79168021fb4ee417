import { isApiError } from '../describe-error.ts';
import { withTexts } from '../i18n.ts';
import { type Fields, listChanged } from './merge-fields.ts';

export interface VersionedState<T extends Fields> {
  fields: T;
  etag: string | undefined;
}

export interface VersionedSave<T extends Fields, Saved> {
  /** The state that the person edited. */
  base: VersionedState<T>;
  mine: T;
  read: () => Promise<VersionedState<T>>;
  /** Writes `fields`; `changed` names those that differ from the state with this ETag. */
  write: (
    fields: T,
    options: { ifMatch: string | undefined; changed: (keyof T & string)[] },
  ) => Promise<Saved>;
  /** The name and the value of a field for people. */
  describe: (
    name: keyof T & string,
    theirs: T,
    mine: T,
  ) => { label: string; theirs: string; mine: string };
}

export type VersionedOutcome<T extends Fields, Saved> =
  | { kind: 'saved'; saved: Saved }
  | { kind: 'taken'; theirs: VersionedState<T> }
  | { kind: 'cancelled' };

/** Others may change it again and again while this person decides. */
const maxAttempts = 10;

const loadResolver = withTexts(['conflict'], () => import('./resolve-conflict.ts'));

/**
 * Saves a change of a state that several people edit, never over a change that was not seen. Where
 * others changed other fields, both changes are kept; where they changed the same, the person
 * chooses. Rejects with any other error of the write.
 */
export async function saveVersioned<T extends Fields, Saved>(
  save: VersionedSave<T, Saved>,
): Promise<VersionedOutcome<T, Saved>> {
  let { base, mine } = save;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const changed = listChanged(base.fields, mine);
      return { kind: 'saved', saved: await save.write(mine, { ifMatch: base.etag, changed }) };
    } catch (error) {
      if (!isApiError(error, 'precondition_failed') || attempt === maxAttempts) throw error;
    }
    const theirs = await save.read();
    const { resolveConflict } = await loadResolver();
    const resolved = await resolveConflict(base.fields, mine, theirs.fields, save.describe);
    if (resolved === 'theirs') return { kind: 'taken', theirs };
    if (resolved === null) return { kind: 'cancelled' };
    base = theirs;
    mine = resolved;
  }
}
