import { sql } from 'kysely';
import { storeProfiles, type PopularityGenre } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { Granularity, PopularitySource } from './sets.ts';

export interface PublishedPhraseRow {
  phrase: string;
  /** 1–100; null when the phrase is not listed. */
  popularity: number | null;
  rankInGenre: number | null;
  /** The genre that lists the phrase, or else the one whose bound it has; null when unknown. */
  genre: PopularityGenre | null;
  granularity: Granularity;
  /** The first day of the period. */
  period: string;
  source: PopularitySource;
  /** The bound of a phrase that is not listed. */
  atMost: number | null;
}

/**
 * What a store publishes about phrases that need not be tracked, in the newest period of the
 * country, in one statement. A phrase that is not listed has the bound of its `genre`, or the
 * highest of all genres without one. Empty without data, and on devices that it does not count.
 */
export async function listPublishedPhrases(
  db: Db | Tx,
  { store, country, device }: { store: string; country: string; device: string },
  phrases: readonly { phrase: string; genre: PopularityGenre | null }[],
): Promise<PublishedPhraseRow[]> {
  const profile = storeProfiles.find(({ id }) => id === store);
  const devices: readonly string[] = profile?.popularity?.devices ?? [];
  if (!devices.includes(device) || phrases.length === 0) return [];
  const { rows } = await sql<
    Row<'published-phrases', PublishedPhraseRow, 'phrase' | 'genre' | 'granularity' | 'source'>
  >`/* published-phrases */
    with newest as (
      select * from popularity_sets where state = 'active' and country = ${country}
      order by period desc, granularity desc limit 1
    )
    select r.phrase, p.popularity, p.rank as "rankInGenre",
      coalesce(listed.code, own.code) as genre, n.granularity, n.period, n.source,
      case when p.popularity is null then coalesce(own.floor,
        (select max(floor) from popularity_floors f where f.set_id = n.id)) end as "atMost"
    from newest n
    cross join unnest(${phrases.map(({ phrase }) => phrase)}::text[],
      ${phrases.map(({ genre }) => genre)}::text[]) as r(phrase, genre)
    left join lateral (
      select * from popularity p where p.set_id = n.id and p.term = r.phrase
      order by p.popularity desc, p.rank limit 1
    ) p on true
    left join popularity_genres listed on listed.id = p.genre
    left join lateral (
      select f.floor, g.code from popularity_floors f join popularity_genres g on g.id = f.genre
      where f.set_id = n.id and g.code = r.genre and p.popularity is null
    ) own on true`.execute(db);
  return rows;
}
