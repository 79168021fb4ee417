import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { phraseScoreQuery, type PhraseScore } from '#web/queries/scores.ts';
import type { Market } from '#web/scope.ts';

const foundIn = (responses: UseQueryResult<PhraseScore>[]) =>
  new Map(responses.flatMap(({ data }) => (data ? [[data.phrase, data] as const] : [])));

/** The scores of the given phrases, by phrase. */
export function usePhraseScores(
  appId: number,
  market: Market,
  phrases: readonly string[],
): ReadonlyMap<string, PhraseScore> {
  return useQueries({
    queries: phrases.map((phrase) => phraseScoreQuery(appId, market, phrase)),
    combine: foundIn,
  });
}
