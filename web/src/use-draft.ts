import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readDraft, writeDraft } from './drafts.ts';
import { sessionQuery } from './queries/session.ts';

export interface Draft {
  /** What was typed, else what is saved. */
  text: string;
  isChanged: boolean;
  change(text: string): void;
  /** Once it is saved, or put away. What was typed since `sent` stays. */
  forget(sent?: string): void;
}

/** A text that is typed and saved later: until then it outlives the page, in this tab, for this person and workspace. */
export function useDraft(name: string, saved = ''): Draft {
  const { data: session } = useQuery(sessionQuery);
  const key = `${session?.user.id}.${session?.workspace.id}.${name}`;
  const [draft, setDraft] = useState(() => {
    const found = readDraft(key);
    // Saved while nobody looked: the answer came to a page that had been left.
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
