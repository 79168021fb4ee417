import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => call('GET /tokens', { query: { limit: 500 } }, signal),
});
