import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unknownEtag } from './conflict/save-versioned.ts';
import { readDraft, writeDraft } from './drafts.ts';
import { sessionQuery } from './queries/session.ts';

/** The saved text on which a draft is based, with its ETag. */
export interface DraftBase {
  text: string;
  etag: string | undefined;
}

export interface Draft {
  /** The draft, otherwise the saved text. */
  text: string;
  isChanged: boolean;
  /** The saved text when the draft was begun: others may have saved another text since. */
  base: DraftBase;
  change(text: string): void;
  /**
   * Clears the draft once it is saved or discarded. Text typed after `sent` is kept; if changes of
   * others were saved with it (`isMerged`), it is merged with them when it is saved.
   */
  forget(sent?: string, isMerged?: boolean): void;
}

/**
 * A draft of a text that is saved later. It survives leaving the page, for this tab, person and
 * workspace.
 */
export function useDraft(name: string, saved = '', etag?: string): Draft {
  const { data: session } = useQuery(sessionQuery);
  const key = `${session?.user.id}.${session?.workspace.id}.${name}`;
  const [draft, setDraft] = useState(() => {
    const found = readDraft(key);
    // The response came after the page was left.
    return found?.trim() === saved.trim() ? null : found;
  });
  const [begun, setBegun] = useState(() => readBase(key));
  const base = (draft === null ? null : begun) ?? { text: saved, etag };
  const keep = (next: string | null) => {
    writeDraft(key, next);
    setDraft(next);
    // Undo of a discarded draft calls a function of an earlier moment: the base is deleted by then.
    const isBegun = draft !== null && begun !== null && readDraft(baseKey(key)) !== null;
    if (next !== null && !isBegun) {
      setBegun(base);
      writeDraft(baseKey(key), JSON.stringify(base));
    }
    if (next === null) writeDraft(baseKey(key), null);
  };
  return {
    text: draft ?? saved,
    isChanged: draft !== null && draft !== saved,
    base,
    change: (text) => keep(text === saved ? null : text),
    forget(sent, isMerged = false) {
      const isNewer = sent !== undefined && readDraft(key) !== sent;
      const next = isNewer && isMerged ? { text: sent, etag: unknownEtag } : null;
      if (isNewer) setBegun(next);
      else writeDraft(key, null);
      writeDraft(baseKey(key), next && JSON.stringify(next));
      setDraft((newest) => (sent === undefined || newest === sent ? null : newest));
    },
  };
}

const baseKey = (key: string): string => `${key}.base`;

function readBase(key: string): DraftBase | null {
  const found = readDraft(baseKey(key));
  return found === null ? null : (JSON.parse(found) as DraftBase);
}
