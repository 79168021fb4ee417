/** How long a workspace may have more keyword markets than its plan holds before the later ones are left out. */
export const daysOverLimit = 7;

export function isLongOver(
  { overLimitSince }: { overLimitSince: Date | null },
  now: Date,
): boolean {
  return (
    overLimitSince !== null &&
    now.getTime() - overLimitSince.getTime() >= daysOverLimit * 86_400_000
  );
}

/** The markets beyond the first `limit`, in the order of their first keywords: which are checked changes only when one of them goes. */
export function marketsBeyond(
  keywords: readonly { id: number; marketId: number }[],
  limit: number,
): Set<number> {
  const inOrder = new Set(
    keywords.toSorted((a, b) => a.id - b.id).map((keyword) => keyword.marketId),
  );
  return new Set([...inOrder].slice(limit));
}
