import { maxPathCharacters } from '#contract/views.ts';
import type { Tx } from '#db/database.ts';
import { deleteView, listViews, lockViews, updateViewPaths } from '#db/queries/views/views.ts';
import { renameTagInPath } from './rename-tag-in-path.ts';

/**
 * Renames a tag in the filters of saved views. Of those that have the same path then, a pinned one
 * stays, or else the oldest. A path that would become too long keeps the old name.
 */
export async function renameTagInViews(
  tx: Tx,
  workspaceId: number,
  from: string,
  to: string,
): Promise<void> {
  await lockViews(tx, workspaceId);
  const changed: { id: number; path: string }[] = [];
  const paths = new Set<string>();
  for (const view of await listViews(tx, workspaceId)) {
    const renamed = renameTagInPath(view.path, from, to);
    const path = renamed.length > maxPathCharacters ? view.path : renamed;
    if (paths.has(path)) await deleteView(tx, workspaceId, view.id);
    else if (path !== view.path) changed.push({ id: view.id, path });
    paths.add(path);
  }
  if (changed.length > 0) await updateViewPaths(tx, workspaceId, changed);
}
