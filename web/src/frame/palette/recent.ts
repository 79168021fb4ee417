import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../queries/session.ts';
import { createStored, type Stored } from '../../stored.ts';

export interface RecentEntry {
  id: string;
  label: string;
  detail: string;
}

const mostRecent = 5;

function isEntry(found: unknown): found is RecentEntry {
  const { id, label, detail } = (found ?? {}) as Partial<Record<keyof RecentEntry, unknown>>;
  return [id, label, detail].every((value) => typeof value === 'string');
}

const stores = new Map<string, Stored<readonly RecentEntry[]>>();

/** The last choices of one person in one workspace, kept in this browser, newest first. */
function recentOf(userId: number, workspaceId: number): Stored<readonly RecentEntry[]> {
  const key = `toprung.recent.${userId}.${workspaceId}`;
  const stored =
    stores.get(key) ??
    createStored(key, (found) => (Array.isArray(found) ? found.filter(isEntry) : []));
  stores.set(key, stored);
  return stored;
}

export function useRecent(): Stored<readonly RecentEntry[]> {
  const { data: session } = useQuery(sessionQuery);
  return recentOf(session?.user.id ?? 0, session?.workspace.id ?? 0);
}

export function rememberEntry(
  recent: Stored<readonly RecentEntry[]>,
  { id, label, detail }: RecentEntry,
): void {
  recent.set(
    [{ id, label, detail }, ...recent.get().filter((entry) => entry.id !== id)].slice(
      0,
      mostRecent,
    ),
  );
}
