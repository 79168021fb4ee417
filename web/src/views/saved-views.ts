import { createStored, type Stored } from '../stored.ts';

/** An address with its filters, under a name. */
export interface SavedView {
  id: string;
  name: string;
  /** Path and search, from the first slash. */
  href: string;
  /** Whose page it is; null is one of the workspace. */
  appId: number | null;
}

const mostViews = 50;
const stores = new Map<string, Stored<readonly SavedView[]>>();

function isView(found: unknown): found is SavedView {
  const { id, name, href, appId } = (found ?? {}) as Partial<Record<keyof SavedView, unknown>>;
  const isText = [id, name, href].every((value) => typeof value === 'string');
  // Only a path of ours may be gone to.
  return (
    isText && /^\/(?![/\\])/.test(href as string) && (appId === null || typeof appId === 'number')
  );
}

/** Those of one person in one workspace, in this browser. */
export function viewsOf(userId: number, workspaceId: number): Stored<readonly SavedView[]> {
  const key = `toprung.views.${userId}.${workspaceId}`;
  const stored =
    stores.get(key) ??
    createStored(key, (found) =>
      Array.isArray(found) ? found.filter(isView).slice(0, mostViews) : [],
    );
  stores.set(key, stored);
  return stored;
}

export function addView(stored: Stored<readonly SavedView[]>, view: Omit<SavedView, 'id'>): void {
  const others = stored.get().filter((other) => other.href !== view.href);
  stored.set([...others, { ...view, id: Math.random().toString(36).slice(2) }].slice(-mostViews));
}

export function renameView(stored: Stored<readonly SavedView[]>, id: string, name: string): void {
  stored.set(stored.get().map((view) => (view.id === id ? { ...view, name } : view)));
}

/** Takes it out; what it returns puts it back where it was. */
export function removeView(stored: Stored<readonly SavedView[]>, id: string): () => void {
  const before = stored.get();
  const place = before.findIndex((view) => view.id === id);
  stored.set(before.toSpliced(place, 1));
  return () => stored.set(stored.get().toSpliced(place, 0, before[place]!));
}
