import type { MarketToCheck } from '#db/queries/rankings/checks.ts';
import type { SearchResponse } from '#domain/base/ports.ts';
import type { UtcDay } from '#lib/dates.ts';
import { compareResults, markUntrusted } from '../drift/compare-results.ts';
import type { FieldReading } from '../drift/field-reading.ts';
import type { FieldWatch } from '../drift/field-watch.ts';
import { unpackStrengths } from './pack-serp.ts';

type Market = Pick<MarketToCheck, 'id' | 'store' | 'lastSerp'>;

/**
 * Counts which fields the results of a search have, compared with the market's last results, and
 * marks those that drift as unread.
 */
export function watchResults(
  { fieldWatch }: { fieldWatch: FieldWatch },
  { market, day }: { market: Market; day: UtcDay },
  response: SearchResponse,
): SearchResponse {
  const at = { store: market.store, source: `search/${response.provider}`, day };
  const cards = response.items.flatMap(({ card }) => (card === null ? [] : [card]));
  const reading = compareResults(String(market.id), cards, listKnownRatings(market));
  if (reading !== null) fieldWatch.add(at, [withSections(reading, response)]);
  const drifting = fieldWatch.listDrifting(at);
  if (drifting.length === 0) return response;
  const items = response.items.map(({ storeAppId, card }) => ({
    storeAppId,
    card: card && markUntrusted(card, drifting),
  }));
  return { ...response, items };
}

function listKnownRatings({ lastSerp }: Market): ('rating' | 'ratingCount')[] {
  const known = lastSerp === null ? [] : unpackStrengths(lastSerp.strengths);
  return (['rating', 'ratingCount'] as const).filter((field) =>
    known.some((strength) => strength !== null && strength[field] !== null),
  );
}

/** Sections of a page that no parser knows may have apps, which are then missing. */
function withSections(reading: FieldReading, { unread }: SearchResponse): FieldReading {
  return unread.length === 0
    ? { ...reading, read: [...reading.read, 'sections'] }
    : {
        ...reading,
        missing: [...reading.missing, 'sections'],
        lost: [...reading.lost, 'sections'],
      };
}
