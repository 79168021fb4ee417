import { apiPath } from '#web/base-path.ts';
import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';

export type Digest = ResponseOf<'GET /digests/weekly'>;
export type DigestApp = Digest['apps'][number];

/** The week that contains a day, by default the last complete week. */
export const digestQuery = (week: string | undefined) =>
  queryOptions({
    queryKey: ['digests', week ?? 'last'],
    queryFn: ({ signal }) => call('GET /digests/weekly', { query: { week } }, signal),
    staleTime: 60_000,
  });

/** The digest email as HTML from the API. */
export const digestEmailUrl = (week: string): string =>
  `${apiPath}/digests/weekly?week=${week}&format=html`;
