import type { Db } from '#db/database.ts';
import { insertStaleScores } from '#db/queries/scores/stale-scores.ts';
import { storeProfiles } from '#domain/base/ports.ts';

const scoresAtOnce = 2_000;
const publishingStores = storeProfiles.flatMap(({ id, popularity }) => (popularity ? [id] : []));

/** Scores use the new numbers soon. Those that a killed process leaves follow within a week. */
export async function rescoreCountries(
  db: Db,
  countries: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const markets = { stores: publishingStores, countries: [...countries], limit: scoresAtOnce };
  for (let after: number | null = 0; after !== null && !signal?.aborted;)
    after = await insertStaleScores(db, { ...markets, afterId: after });
}
