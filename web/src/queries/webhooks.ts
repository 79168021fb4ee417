import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import type { EventName } from './alerts.ts';
import { pollIntervalByPages } from './poll-pace.ts';

export type Webhook = ResponseOf<'GET /webhooks/{id}'>;
export type Delivery = ResponseOf<'GET /webhooks/{id}/deliveries'>['items'][number];
export type DeliveryDetail = ResponseOf<'GET /webhooks/deliveries/{deliveryId}'>;
export type TestOutcome = ResponseOf<'POST /webhooks/{id}/test'>;

export const webhooksKey = ['webhooks'] as const;
const pageSize = 50;

export const webhooksQuery = queryOptions({
  queryKey: [...webhooksKey, 'list'],
  queryFn: ({ signal }) => call('GET /webhooks', { query: { limit: 500 } }, signal),
  // The status changes with each delivery, so it is refetched on every visit.
  staleTime: 0,
  refetchInterval: 30_000,
});

/** The first webhook, where only its existence matters. */
export const firstWebhookQuery = queryOptions({
  queryKey: [...webhooksKey, 'first'],
  queryFn: ({ signal }) => call('GET /webhooks', { query: { limit: 1 } }, signal),
});

export interface DeliveryFilter {
  state?: Delivery['state'] | undefined;
  type?: EventName | undefined;
}

const isPendingDelivery = ({ state }: Delivery) => state === 'pending';

/** The deliveries, newest first, polled while some are pending. */
export const deliveriesQuery = (id: number, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: [...webhooksKey, id, 'deliveries', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /webhooks/{id}/deliveries',
        { params: { id }, query: { limit: pageSize, cursor: pageParam, ...filter } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(isPendingDelivery))
        ? pollIntervalByPages(10_000, data)
        : false,
  });

export const deliveryQuery = (deliveryId: number) =>
  queryOptions({
    queryKey: [...webhooksKey, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      call('GET /webhooks/deliveries/{deliveryId}', { params: { deliveryId } }, signal),
    refetchInterval: (query) => (query.state.data?.state === 'pending' ? 5_000 : false),
  });
