import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type Request } from '../api.ts';
import { spanOf } from '../scope.ts';
import { pollIntervalByPages } from './poll-pace.ts';

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

/**
 * The budget with additional searches. Without any, it is today's budget without the one-time work
 * of a first day.
 */
export const simulationQuery = (add: Load) =>
  queryOptions({
    queryKey: ['budget', 'simulate', add],
    queryFn: ({ signal }) => call('POST /jobs/budget/simulate', { body: { add } }, signal),
    staleTime: 30_000,
    retry: false,
  });

const runsPageSize = 60;
const maxDays = 400;

/** The days of the last 13 months, newest first. */
export const runPagesQuery = infiniteQueryOptions({
  queryKey: ['runs', 'pages'],
  queryFn: ({ pageParam, signal }) =>
    call(
      'GET /runs',
      { query: { limit: runsPageSize, from: spanOf(maxDays).from, cursor: pageParam } },
      signal,
    ),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.nextCursor ?? undefined,
  refetchInterval: ({ state: { data } }) => pollIntervalByPages(60_000, data),
});

export const runQuery = (date: string) =>
  queryOptions({
    queryKey: ['runs', 'day', date],
    queryFn: ({ signal }) => call('GET /runs/{date}', { params: { date } }, signal),
    staleTime: 30_000,
  });
