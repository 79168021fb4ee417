import type { Services } from '#domain/base/context.ts';
import type { AppCard, SearchResult } from '#domain/base/ports.ts';
import type { UtcDay } from '#lib/dates.ts';
import { keepUnread } from '../listings/keep-unread.ts';
import { loadRatingsOn } from '../listings/storefront-ratings.ts';
import { strongest, type Strength } from './pack-serp.ts';

const ratings = ['rating', 'ratingCount'];

/**
 * The ratings of the first results, for scores. One that could not be read is the known one of its
 * listing in the country, or null: as an app without ratings it would make a phrase look easy.
 */
export async function keepRatings(
  { systemDb }: Pick<Services, 'systemDb'>,
  { country, day }: { country: string; day: UtcDay },
  { results, listingIds }: { results: readonly SearchResult[]; listingIds: readonly number[] },
): Promise<(Strength | null)[]> {
  const first = results.slice(0, strongest).map(({ card }) => card);
  const unread = listingIds.slice(0, first.length).filter((_id, index) => isUnread(first[index]!));
  if (unread.length === 0) return first;
  const knownOf = await loadRatingsOn(systemDb, unread, { country, day });
  return first.map((card, index) => fillUnread(card, knownOf(listingIds[index]!)));
}

const isUnread = (card: AppCard | null): boolean =>
  card === null || card.unread.some((field) => ratings.includes(field));

/** The ratings of a card, with the known ones where they could not be read; null: not known. */
export function fillUnread(card: AppCard | null, known: Strength | null): Strength | null {
  if (card === null) return known;
  const { rating, ratingCount, unread } = card;
  if (!isUnread(card)) return { rating, ratingCount };
  const kept = keepUnread({ rating, ratingCount }, known, unread);
  return kept.rating === null && kept.ratingCount === null ? null : kept;
}
