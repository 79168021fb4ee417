interface Instant {
  at: Date;
  id: number;
}

/**
 * A page of two lists in one order: newest first, then the highest id. `own` is already cut to what
 * follows `after`; `imported` is the whole list.
 */
export function mergeNewest<Item extends { id: number }>(
  own: readonly Item[],
  imported: readonly Item[],
  { after, limit, atOf }: { after: Instant | null; limit: number; atOf(item: Item): Date },
): Item[] {
  const follows = (item: Item) =>
    after === null || compareNewest({ at: atOf(item), id: item.id }, after) > 0;
  const merged = [...own, ...imported.filter(follows)];
  return merged
    .toSorted((a, b) => compareNewest({ at: atOf(a), id: a.id }, { at: atOf(b), id: b.id }))
    .slice(0, limit);
}

function compareNewest(a: Instant, b: Instant): number {
  return b.at.getTime() - a.at.getTime() || b.id - a.id;
}
