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

/** Why a result is too implausible to be believed at once; null for a plausible one. Pure. */
export function findConfirmationReason(
  market: Compared,
  response: Pick<SearchResponse, 'items' | 'end'>,
): ConfirmationReason | null {
  const { store, depth, usualResults } = market;
  const count = response.items.length;
  if (usualResults === null) return isSmall(store, count, depth) ? 'small' : null;
  if (isFarShorter(count, { usualResults, depth })) return 'shorter';
  const missing = listMissing(market, response);
  if (missing.length === 0) return null;
  if (count < Math.min(usualResults, depth)) return 'lost';
  return missing.some((position) => position <= count / 2) ? 'dropped' : null;
}

/** Previous positions of apps that the result lacks, although it was examined that far. */
function listMissing(
  { tracked }: Compared,
  response: Pick<SearchResponse, 'items' | 'end'>,
): number[] {
  const count = response.items.length;
  return tracked.flatMap(({ storeAppId, previousPosition }) =>
    previousPosition !== null &&
    (response.end !== 'truncated' || previousPosition <= count) &&
    positionIn(response, storeAppId) === null
      ? [previousPosition]
      : [],
  );
}
