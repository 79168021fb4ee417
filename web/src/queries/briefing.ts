import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';

export type Briefing = ResponseOf<'GET /apps/{id}/briefing'>;
export type BriefingMover = Briefing['movers'][number];
export type Cause = NonNullable<BriefingMover['cause']>;
export type Since = 'visit' | 'yesterday';

export const briefingQuery = (id: number, since: Since) =>
  queryOptions({
    queryKey: ['apps', id, 'briefing', since],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/briefing',
        {
          params: { id },
          query: { limit: 15, yesterday: since === 'yesterday' ? 'true' : undefined },
        },
        signal,
      ),
  });
