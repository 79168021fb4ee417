import { withTexts } from '../i18n.ts';
import type { Fields } from './merge-fields.ts';

// Every page would bring it otherwise.
const fetchWriting = withTexts(['conflict'], () => import('./write-versioned.ts'));

export interface VersionedState<T extends Fields> {
  fields: T;
  etag: string | undefined;
}

/** Of a state whose version is not known: the server refuses it, and the newest state is read. */
export const unknownEtag = '"?"';

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
  /** `isMerged`: with changes of others, which this person has not seen. */
  | { kind: 'saved'; saved: Saved; isMerged: boolean }
  | { kind: 'taken'; theirs: VersionedState<T> }
  | { kind: 'cancelled' };

/**
 * Saves a change of a state that several people edit, never over a change that was not seen. Where
 * others changed other fields, both changes are kept; where they changed the same, the person
 * chooses. Rejects with any other error of the write.
 */
export async function saveVersioned<T extends Fields, Saved>(
  save: VersionedSave<T, Saved>,
): Promise<VersionedOutcome<T, Saved>> {
  const { writeVersioned } = await fetchWriting();
  return writeVersioned(save);
}
