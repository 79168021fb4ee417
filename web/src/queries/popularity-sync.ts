import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';

export type PopularitySync = ResponseOf<'GET /popularity/sync'>;
export type QuarantinedWeek = ResponseOf<'GET /popularity/quarantine'>['items'][number];

const pollIntervalMs = 3_000;

/** The state of the weekly sync; polled while it runs or is due. */
export const popularitySyncQuery = queryOptions({
  queryKey: ['popularity', 'sync'],
  queryFn: ({ signal }) => call('GET /popularity/sync', {}, signal),
  refetchInterval: ({ state: { data } }) => {
    const hasBegun = data?.state === 'running' || data?.state === 'due';
    const isDue = data?.nextAt != null && Date.parse(data.nextAt) <= Date.now();
    return hasBegun || isDue ? pollIntervalMs : false;
  },
});

export const quarantineQuery = queryOptions({
  queryKey: ['popularity', 'quarantine'],
  queryFn: ({ signal }) => call('GET /popularity/quarantine', {}, signal),
});
