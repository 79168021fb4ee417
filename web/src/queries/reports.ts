import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';

export type Report = ResponseOf<'GET /reports'>['items'][number];
export type CreatedReport = ResponseOf<'POST /reports'>;
export type ReportContent = ResponseOf<'POST /reports/open'>;
export type ReportComparison = NonNullable<ReportContent['comparison']>;
export type ReportKeyword = ReportComparison['keywords'][number];

export const reportsQuery = queryOptions({
  queryKey: ['reports'],
  queryFn: ({ signal }) => call('GET /reports', { query: { limit: 500 } }, signal),
});
