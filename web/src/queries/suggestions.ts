import { queryOptions } from '@tanstack/react-query';
import { call, type Answer } from '../api.ts';

export type Suggestions = Answer<'GET /apps/{id}/keyword-suggestions'>;
export type Suggestion = Suggestions['items'][number];
export type Evidence = Suggestion['evidence'][number];
export type Source = Suggestion['source'];

/** May ask the store, and counts: it is read when somebody asks for it, and kept. */
export const suggestionsQuery = (appId: number, asked: { country: string; seed: string; source: Source | undefined }) =>
  queryOptions({
    queryKey: ['apps', appId, 'suggestions', asked],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/keyword-suggestions',
        { params: { id: appId }, query: { country: asked.country, seed: asked.seed || undefined, source: asked.source, limit: 100 } },
        signal,
      ),
    staleTime: 30 * 60_000,
    gcTime: 30 * 60_000,
  });
