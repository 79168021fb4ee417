import { sql } from 'kysely';
import { storeProfiles, type PopularityGenre } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface PublishedPhraseRow {
  /** 1–100; null when the phrase is not listed. */
  popularity: number | null;
  genre: PopularityGenre | null;
  period: string;
  /** The bound of a phrase that is not listed, whatever its genre. */
  atMost: number | null;
}

/**
 * What a store publishes about a phrase that need not be tracked, in the newest period of the
 * country. Undefined without data, and on devices that it does not count.
 */
export async function findPublishedPhrase(
  db: Db | Tx,
  {
    store,
    country,
    device,
    phrase,
  }: { store: string; country: string; device: string; phrase: string },
): Promise<PublishedPhraseRow | undefined> {
  const profile = storeProfiles.find(({ id }) => id === store);
  const devices: readonly string[] = profile?.popularity?.devices ?? [];
  if (!devices.includes(device)) return undefined;
  const { rows } = await sql<Row<'published-phrase', PublishedPhraseRow, 'genre'>>`
    /* published-phrase */
    with newest as (
      select id, period from popularity_sets where state = 'active' and country = ${country}
      order by period desc, granularity desc limit 1
    )
    select p.popularity, g.code as genre, n.period,
      (select max(floor) from popularity_floors f where f.set_id = n.id) as "atMost"
    from newest n
    left join lateral (
      select * from popularity p where p.set_id = n.id and p.term = ${phrase}
      order by p.popularity desc, p.rank limit 1
    ) p on true
    left join popularity_genres g on g.id = p.genre`.execute(db);
  return rows[0];
}
