import type { MarketToCheck } from '#db/queries/rankings/checks.ts';
import type { SearchResponse } from '#domain/base/ports.ts';
import { isFarShorter } from '../anomalies/is-far-shorter.ts';
import { isSmall, positionIn } from './position.ts';

/**
 * `small`: the market's first result has few entries.
 * `shorter`: the result is far shorter than usual.
 * `lost`: an app is no longer found in a result that is shorter than usual.
 * `dropped`: an app of the upper half is no longer found in a result of the usual length.
 */
export type ConfirmationReason = 'small' | 'shorter' | 'lost' | 'dropped';

type Compared = Pick<MarketToCheck, 'store' | 'depth' | 'usualResults' | 'tracked'>;
type Found = Pick<SearchResponse, 'items' | 'end'>;

/** Why a result is too implausible to be believed at once; null for a plausible one. Pure. */
export function findConfirmationReason(
  market: Compared,
  response: Found,
): ConfirmationReason | null {
  const { store, depth, usualResults } = market;
  const count = response.items.length;
  if (usualResults === null) return isSmall(store, count, depth) ? 'small' : null;
  if (isFarShorter(count, { usualResults, depth })) return 'shorter';
  const missing = listMissing(market, response);
  if (missing.length === 0) return null;
  if (count < Math.min(usualResults, depth)) return 'lost';
  return missing.some(({ position }) => position <= count / 2) ? 'dropped' : null;
}

/** True when another result, which is not far shorter than usual, lacks the same apps. */
export function isConfirmedDrop(market: Compared, response: Found, other: Found): boolean {
  const reason = findConfirmationReason(market, other);
  return (
    (reason === 'dropped' || reason === 'lost') &&
    listMissing(market, response).every(({ storeAppId }) => positionIn(other, storeAppId) === null)
  );
}

/** Apps that the result lacks, although it was examined that far, with their last positions. */
function listMissing(
  { tracked }: Compared,
  response: Found,
): { storeAppId: string; position: number }[] {
  const count = response.items.length;
  return tracked.flatMap(({ storeAppId, previousPosition: position }) =>
    position !== null &&
    (response.end !== 'truncated' || position <= count) &&
    positionIn(response, storeAppId) === null
      ? [{ storeAppId, position }]
      : [],
  );
}
