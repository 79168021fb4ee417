/**
 * How long a workspace may exceed its plan's keyword markets before the newest ones are excluded.
 */
const overLimitGraceMs = 7 * 86_400_000;

export const gracePeriodEndsAt = (overLimitSince: Date): Date =>
  new Date(overLimitSince.getTime() + overLimitGraceMs);

/** The begin of the grace period that ends now. */
export const gracePeriodBegunAt = (now: Date): Date => new Date(now.getTime() - overLimitGraceMs);

export function isGracePeriodOver(
  { overLimitSince }: { overLimitSince: Date | null },
  now: Date,
): boolean {
  return overLimitSince !== null && now >= gracePeriodEndsAt(overLimitSince);
}

/**
 * The markets beyond the first `limit`, in the order of their first keywords, so that the checked
 * set changes only when one of them is removed.
 */
export function marketsOverLimit(
  keywords: readonly { id: number; marketId: number }[],
  limit: number,
): Set<number> {
  const inOrder = new Set(
    keywords.toSorted((a, b) => a.id - b.id).map((keyword) => keyword.marketId),
  );
  return new Set([...inOrder].slice(limit));
}
