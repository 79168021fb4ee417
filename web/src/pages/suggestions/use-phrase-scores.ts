import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { phraseScoreQuery, type PhraseScore } from '#web/queries/scores.ts';

const foundIn = (responses: UseQueryResult<PhraseScore>[]) =>
  new Map(responses.flatMap(({ data }) => (data ? [[data.phrase, data] as const] : [])));

/** The scores of the given phrases, by phrase. */
export function usePhraseScores(
  appId: number,
  country: string,
  phrases: readonly string[],
): ReadonlyMap<string, PhraseScore> {
  return useQueries({
    queries: phrases.map((phrase) => phraseScoreQuery(appId, country, phrase)),
    combine: foundIn,
  });
}
