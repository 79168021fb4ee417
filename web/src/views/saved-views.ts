import { createStored, type Stored } from '../stored.ts';

/** A named address with its filters. */
export interface SavedView {
  id: string;
  name: string;
  /** Path and search parameters. */
  href: string;
  /** The app of the view; null for a page of the workspace. */
  appId: number | null;
}

const maxViews = 50;
const stores = new Map<string, Stored<readonly SavedView[]>>();

function isView(found: unknown): found is SavedView {
  const { id, name, href, appId } = (found ?? {}) as Partial<Record<keyof SavedView, unknown>>;
  const isText = [id, name, href].every((value) => typeof value === 'string');
  // Allows paths of the dashboard only.
  return (
    isText && /^\/(?![/\\])/.test(href as string) && (appId === null || typeof appId === 'number')
  );
}

/** The saved views of one person in one workspace, kept in this browser. */
export function viewsOf(userId: number, workspaceId: number): Stored<readonly SavedView[]> {
  const key = `toprung.views.${userId}.${workspaceId}`;
  const stored =
    stores.get(key) ??
    createStored(key, (found) =>
      Array.isArray(found) ? found.filter(isView).slice(0, maxViews) : [],
    );
  stores.set(key, stored);
  return stored;
}

export function addView(stored: Stored<readonly SavedView[]>, view: Omit<SavedView, 'id'>): void {
  const others = stored.get().filter((other) => other.href !== view.href);
  stored.set([...others, { ...view, id: Math.random().toString(36).slice(2) }].slice(-maxViews));
}

export function renameView(stored: Stored<readonly SavedView[]>, id: string, name: string): void {
  stored.set(stored.get().map((view) => (view.id === id ? { ...view, name } : view)));
}

/** Removes a view. The returned function restores it at its position. */
export function removeView(stored: Stored<readonly SavedView[]>, id: string): () => void {
  const before = stored.get();
  const index = before.findIndex((view) => view.id === id);
  stored.set(before.toSpliced(index, 1));
  return () => stored.set(stored.get().toSpliced(index, 0, before[index]!));
}
