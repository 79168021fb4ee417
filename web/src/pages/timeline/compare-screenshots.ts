import { imageIdentityOf } from '#stores/profiles.ts';
import type { Store } from '#web/api.ts';

export type ScreenshotState = 'removed' | 'added' | 'moved' | null;

/**
 * The state of each screenshot in an earlier and a later list. The same picture has addresses on
 * several servers. It was moved when it is in both lists, but not in their longest common order.
 */
export function compareScreenshots(
  store: Store,
  before: readonly string[],
  after: readonly string[],
): { before: ScreenshotState[]; after: ScreenshotState[] } {
  const identityOf = (url: string) => imageIdentityOf(store, url) ?? url;
  const [earlier, later] = [before.map(identityOf), after.map(identityOf)];
  const inOrder = new Set(findCommonOrder(earlier, later));
  const stateIn = (others: readonly string[], missing: 'removed' | 'added') => (id: string) =>
    !others.includes(id) ? missing : inOrder.has(id) ? null : 'moved';
  return {
    before: earlier.map(stateIn(later, 'removed')),
    after: later.map(stateIn(earlier, 'added')),
  };
}

/** The longest list whose entries are in both lists in the same order. */
function findCommonOrder(a: readonly string[], b: readonly string[]): string[] {
  let row: string[][] = b.map(() => []);
  for (const item of a) {
    const next: string[][] = [];
    for (const [index, other] of b.entries()) {
      const [left, above, corner] = [next[index - 1] ?? [], row[index]!, row[index - 1] ?? []];
      next.push(item === other ? [...corner, item] : left.length > above.length ? left : above);
    }
    row = next;
  }
  return row.at(-1) ?? [];
}
