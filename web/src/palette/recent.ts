import { createStored } from '../stored.ts';

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

/** What was chosen last, newest first. */
export const recentEntries = createStored<readonly RecentEntry[]>('toprung.recent', (found) => (Array.isArray(found) ? found.filter(isEntry) : []));

export function rememberEntry({ id, label, detail }: RecentEntry): void {
  recentEntries.set([{ id, label, detail }, ...recentEntries.get().filter((entry) => entry.id !== id)].slice(0, mostRecent));
}
