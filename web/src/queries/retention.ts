import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';

/** For how many days the instance keeps data. It changes only with a restart. */
export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: ({ signal }) => call('GET /retention', {}, signal),
  staleTime: Infinity,
});
