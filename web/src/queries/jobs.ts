import { infiniteQueryOptions } from '@tanstack/react-query';
import { call, type Job } from '../api.ts';
import { pollIntervalByPages } from './poll-pace.ts';

export interface JobFilter {
  kind?: Job['kind'] | undefined;
  state?: Job['state'] | undefined;
}

const pageSize = 50;
const pollIntervalMs = 3_000;
const restMs = 30_000;
const isOpen = ({ state }: Job) => state === 'queued' || state === 'running';

/**
 * Jobs, newest first. Polled often while some are open, otherwise rarely for jobs of other members.
 */
export const jobPagesQuery = (filter: JobFilter) =>
  infiniteQueryOptions({
    queryKey: ['jobs', filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /jobs', { query: { limit: pageSize, cursor: pageParam, ...filter } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      pollIntervalByPages(
        data?.pages.some(({ items }) => items.some(isOpen)) ? pollIntervalMs : restMs,
        data,
      ),
  });
