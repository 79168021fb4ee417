import type { SearchAnswer, StoreName } from '../ports.ts';

/** Places really examined: where the store says there are no more, nothing deeper could have been found. */
export function examinedDepth(
  answer: Pick<SearchAnswer, 'end' | 'depthRequested' | 'depthReached'>,
): number {
  return answer.end === 'truncated' ? answer.depthReached : answer.depthRequested;
}

/** 1-based place of the app in the answer, or null: examined and not there. */
export function positionIn(answer: Pick<SearchAnswer, 'items'>, storeAppId: string): number | null {
  const index = answer.items.findIndex((item) => item.storeAppId === storeAppId);
  return index === -1 ? null : index + 1;
}

/** A market asked for the first time has no usual; fewer than this are looked at twice. Google Play shows 20 to 30 to begin with. */
const shortFirstAnswer: Record<StoreName, number> = { ios: 50, android: 20 };

/**
 * An empty answer, or one much shorter than the market's usual, is not believed before others agree:
 * both stores answer 200 with little or nothing when they would rather not.
 */
export function isSuspicious(
  store: StoreName,
  resultCount: number,
  usualResults: number | null,
  askedFor: number,
): boolean {
  if (usualResults === null) return resultCount < Math.min(shortFirstAnswer[store], askedFor);
  return resultCount < Math.min(usualResults, askedFor) / 2;
}

/** Two answers agree when neither is more than twice the other, give or take two. */
export function doAgree(first: number, second: number): boolean {
  return Math.max(first, second) <= 2 * Math.min(first, second) + 2;
}
