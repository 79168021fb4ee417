import { attributeOf, type Feed } from './feed.ts';
import { iosProfile } from './profile.ts';

const parents = new Map(iosProfile.categories.map(([id, , parentId]) => [id, parentId]));
/**
 * A chart has apps whose second genre is the chart's, but most have it as their first. In the chart
 * of all apps no genre except games has half of the positions.
 */
const minShare = 0.5;

/**
 * True when the feed proves that it is of the genre: its own address names it, and so do the
 * categories of its entries. The store answers an unknown genre with the chart of all apps. A null
 * genre is the chart of all apps.
 */
export function isOfGenre(
  { ownAddress, entries }: Pick<Feed, 'ownAddress' | 'entries'>,
  genre: string | null,
): boolean {
  const named = ownAddress === null ? null : (/\bgenre=(\d+)/.exec(ownAddress)?.[1] ?? null);
  if (genre === null) return named === null;
  if (ownAddress !== null && named !== genre) return false;
  const genres = entries
    .map((entry) => attributeOf(entry['category'], 'im:id'))
    .filter((id) => typeof id === 'string');
  if (genres.length === 0) return named === genre;
  const same = genres.filter((id) => isSameGenre(id, genre));
  return same.length >= genres.length * minShare;
}

/** Entries of games state either the genre or its parent. */
function isSameGenre(stated: string, genre: string): boolean {
  return stated === genre || parents.get(stated) === genre || parents.get(genre) === stated;
}
