import { hashKey, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callVersioned, type ResponseOf, type Request } from '../api.ts';
import { pollIntervalByPages } from './poll-pace.ts';

export type AlertEvent = ResponseOf<'GET /events'>['items'][number];
export type EventName = AlertEvent['type'];
export type AlertRules = ResponseOf<'GET /alerts/rules'>;
export type AlertRule = AlertRules['rules'][number];
export type Backtest = ResponseOf<'POST /alerts/rules/backtest'>;
type Rules = NonNullable<Request<'POST /alerts/rules/backtest'>['body']['rules']>;

export interface EventFilter {
  type?: EventName | undefined;
  appId?: number | undefined;
}

const pageSize = 50;

export const eventPagesQuery = (filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: ['events', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /events',
        { query: { limit: pageSize, order: 'desc', cursor: pageParam, ...filter } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) => pollIntervalByPages(60_000, data),
  });

export const rulesQuery = queryOptions({
  queryKey: ['alert-rules'],
  queryFn: ({ signal }) => callVersioned('GET /alerts/rules', {}, signal),
});

/** Days of a backtest. The first is the default: 90 days of 5,000 keywords take seconds. */
export const backtestSpans = ['30', '90', '7'] as const;

/**
 * The alerts that these rules would have triggered: those of `begun` if it was of the same ones.
 */
export const backtestQuery = (rules: Rules, days: number, begun?: Promise<Backtest>) =>
  queryOptions({
    queryKey: ['alert-rules', 'backtest', days, rules],
    queryFn: async ({ signal }) => {
      const backtest = await begun;
      return backtest && hashKey(backtest.rules) === hashKey(rules)
        ? backtest
        : call('POST /alerts/rules/backtest', { body: { rules, days } }, signal);
    },
    staleTime: 5 * 60_000,
    retry: false,
  });

/** The backtest of the saved rules, which can begin before they are here. */
export const savedBacktestQuery = (days: number) =>
  queryOptions({
    queryKey: ['alert-rules', 'backtest', days],
    queryFn: ({ signal }) => call('POST /alerts/rules/backtest', { body: { days } }, signal),
    retry: false,
  });

export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: ({ signal }) => call('GET /tags', {}, signal),
  staleTime: 60_000,
});
