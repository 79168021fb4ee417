import type { Db, Tx } from '#db/database.ts';
import { listPublishedPhrases } from '#db/queries/popularity/published-phrases.ts';
import { profileOf, type PopularityGenre, type StoreName } from '#domain/base/ports.ts';
import type { PublishedPopularity } from './load-published.ts';

/**
 * What the store publishes about phrases that need not be tracked; phrases without data are
 * omitted. One statement for any number.
 */
export async function loadPublishedPhrases(
  tx: Db | Tx,
  market: { store: StoreName; country: string; device: string },
  phrases: readonly { phrase: string; genre: PopularityGenre | null }[],
): Promise<Map<string, PublishedPopularity>> {
  const rows = await listPublishedPhrases(tx, market, phrases);
  return new Map(
    rows.flatMap(({ phrase, ...published }) =>
      published.popularity === null && published.atMost === null ? [] : [[phrase, published]],
    ),
  );
}

const countedResults = 10;

/**
 * The most frequent genre of the first ten results, by their categories in order; the genre of the
 * higher result when several are as frequent. Null when no category is known.
 */
export function genreOfResults(
  store: StoreName,
  categoryIds: readonly (string | null)[],
): PopularityGenre | null {
  const categories = Object.entries(profileOf(store).popularity?.categories ?? {}).flatMap(
    ([genre, ids]) => ids.split(' ').map((id) => [id, genre as PopularityGenre] as const),
  );
  const genreOf = new Map(categories);
  const counts = new Map<PopularityGenre, number>();
  for (const id of categoryIds.slice(0, countedResults)) {
    const genre = id === null ? undefined : genreOf.get(id);
    if (genre !== undefined) counts.set(genre, (counts.get(genre) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}
