import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readDraft, writeDraft } from './drafts.ts';
import { sessionQuery } from './queries/session.ts';

export interface Draft {
  /** The draft, otherwise the saved text. */
  text: string;
  isChanged: boolean;
  change(text: string): void;
  /** Clears the draft once it is saved or discarded. Text typed after `sent` is kept. */
  forget(sent?: string): void;
}

/**
 * A draft of a text that is saved later. It survives leaving the page, for this tab, person and
 * workspace.
 */
export function useDraft(name: string, saved = ''): Draft {
  const { data: session } = useQuery(sessionQuery);
  const key = `${session?.user.id}.${session?.workspace.id}.${name}`;
  const [draft, setDraft] = useState(() => {
    const found = readDraft(key);
    // The response came after the page was left.
    return found?.trim() === saved.trim() ? null : found;
  });
  const keep = (next: string | null) => {
    writeDraft(key, next);
    setDraft(next);
  };
  return {
    text: draft ?? saved,
    isChanged: draft !== null && draft !== saved,
    change: (text) => keep(text === saved ? null : text),
    forget(sent) {
      if (sent === undefined || readDraft(key) === sent) writeDraft(key, null);
      setDraft((newest) => (sent === undefined || newest === sent ? null : newest));
    },
  };
}
