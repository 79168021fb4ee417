import { listListingRatings } from '#db/queries/listings/listings.ts';
import type { Services } from '#domain/base/context.ts';
import type { SearchResult } from '#domain/base/ports.ts';
import { keepUnread } from '../listings/keep-unread.ts';
import { strongest, type Strength } from './pack-serp.ts';

const ratings = ['rating', 'ratingCount'];

/**
 * The ratings of the first results, for scores. One that could not be read is the known one of its
 * listing: without ratings a phrase would look easy.
 */
export async function keepRatings(
  { systemDb }: Pick<Services, 'systemDb'>,
  { results, listingIds }: { results: readonly SearchResult[]; listingIds: readonly number[] },
): Promise<(Strength | null)[]> {
  const first = results.slice(0, strongest).map(({ card }) => card);
  const isUnread = first.map((card) => card?.unread.some((field) => ratings.includes(field)));
  const unread = listingIds.filter((_id, index) => isUnread[index]);
  if (unread.length === 0) return first;
  const known = await listListingRatings(systemDb, unread);
  return first.map((card, index) => {
    if (card === null || !isUnread[index]) return card;
    const { rating, ratingCount, unread: fields } = card;
    return keepUnread({ rating, ratingCount }, known.get(listingIds[index]!), fields);
  });
}
