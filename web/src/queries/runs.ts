import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type Request } from '../api.ts';
import { spanOf } from '../scope.ts';
import { paceByPages } from './poll-pace.ts';

export const runsQuery = (limit: number) =>
  queryOptions({
    queryKey: ['runs', limit],
    queryFn: ({ signal }) => call('GET /runs', { query: { limit } }, signal),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });

export const budgetQuery = queryOptions({
  queryKey: ['budget'],
  queryFn: ({ signal }) => call('GET /jobs/budget', {}, signal),
  staleTime: 30_000,
});

type Load = NonNullable<Request<'POST /jobs/budget/simulate'>['body']['add']>;

/** The budget as it would last with more searches; of none it is today's, without what a first day asks besides. */
export const simulationQuery = (add: Load) =>
  queryOptions({
    queryKey: ['budget', 'simulate', add],
    queryFn: ({ signal }) => call('POST /jobs/budget/simulate', { body: { add } }, signal),
    staleTime: 30_000,
    retry: false,
  });

const runsAtOnce = 60;
const mostDays = 400;

/** The days of the last year and a month, newest first. */
export const runPagesQuery = infiniteQueryOptions({
  queryKey: ['runs', 'pages'],
  queryFn: ({ pageParam, signal }) =>
    call(
      'GET /runs',
      { query: { limit: runsAtOnce, from: spanOf(mostDays).from, cursor: pageParam } },
      signal,
    ),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.nextCursor ?? undefined,
  refetchInterval: ({ state: { data } }) => paceByPages(60_000, data),
});

export const runQuery = (date: string) =>
  queryOptions({
    queryKey: ['runs', 'day', date],
    queryFn: ({ signal }) => call('GET /runs/{date}', { params: { date } }, signal),
    staleTime: 30_000,
  });
