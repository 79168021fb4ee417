import { queryOptions, skipToken } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import type { Market } from '../scope.ts';
import type { Span } from './apps.ts';

export type Score = ResponseOf<'GET /keywords/{keywordId}/scores'>['items'][number];
/** A score whose provenance is still stored. */
export type ExplainedScore = Score & { provenance: NonNullable<Score['provenance']> };
export type PhraseScore = ResponseOf<'GET /apps/{id}/phrase-score'>;
export type Opportunity = ResponseOf<'GET /apps/{id}/opportunities'>['items'][number];

/** The scores of a keyword in the period, newest first. */
export const scoresQuery = (keywordId: number, span: Span) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'scores', span],
    queryFn: ({ signal }) =>
      call(
        'GET /keywords/{keywordId}/scores',
        { params: { keywordId }, query: { ...span, limit: 500 } },
        signal,
      ),
  });

/** The opportunity of a keyword; null without both scores and a check. */
export const opportunityQuery = (appId: number, keywordId: number) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'opportunity', appId],
    queryFn: async ({ signal }) => {
      const { items } = await call(
        'GET /apps/{id}/opportunities',
        { params: { id: appId }, query: { keywordIds: keywordId, limit: 1 } },
        signal,
      );
      return items[0] ?? null;
    },
    enabled: appId > 0,
  });

/**
 * The last requested score of a phrase. Scoring sends store requests and uses an allowance, so
 * nothing fetches it automatically.
 */
export const phraseScoreQuery = (appId: number, { country, device }: Market, phrase: string) =>
  queryOptions<PhraseScore>({
    queryKey: ['apps', appId, 'phrase-score', country, device, phrase],
    queryFn: skipToken,
    staleTime: Infinity,
    gcTime: 30 * 60_000,
  });
