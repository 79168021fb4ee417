import { queryOptions } from '@tanstack/react-query';
import { call, type Answer } from '../api.ts';

export type Digest = Answer<'GET /digests/weekly'>;
export type DigestApp = Digest['apps'][number];

/** The week that a day lies in; without one the last whole week. */
export const digestQuery = (week: string | undefined) =>
  queryOptions({
    queryKey: ['digests', week ?? 'last'],
    queryFn: ({ signal }) => call('GET /digests/weekly', { query: { week } }, signal),
    staleTime: 60_000,
  });

/** The letter that is mailed, as a page of the API. */
export const letterAddress = (week: string): string =>
  `/api/backend/digests/weekly?week=${week}&format=html`;
