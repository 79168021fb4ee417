import { infiniteQueryOptions } from '@tanstack/react-query';
import { call, type Job } from '../api.ts';
import { paceByPages } from './poll-pace.ts';

export interface JobFilter {
  kind?: Job['kind'] | undefined;
  state?: Job['state'] | undefined;
}

const pageSize = 50;
const beatMs = 3_000;
const restMs = 30_000;
const isOpen = ({ state }: Job) => state === 'queued' || state === 'running';

/** Accepted work, newest first; looked at again often while some of it is open, and now and then for what others asked for. */
export const jobPagesQuery = (filter: JobFilter) =>
  infiniteQueryOptions({
    queryKey: ['jobs', filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /jobs', { query: { limit: pageSize, cursor: pageParam, ...filter } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      paceByPages(data?.pages.some(({ items }) => items.some(isOpen)) ? beatMs : restMs, data),
  });
