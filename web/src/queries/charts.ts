import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf, type Store } from '../api.ts';
import type { Span } from './apps.ts';

export type Pivot = ResponseOf<'GET /apps/{id}/category-ranks/pivot'>;
export type PivotPosition = Pivot['rows'][number]['cells'][number];
export type ChartColumn = Pivot['columns'][number];
export type CategoryRank = ResponseOf<'GET /apps/{id}/category-ranks'>['items'][number];
export type StoredChart = ResponseOf<'GET /charts'>;

export const pivotQuery = (appId: number, date: string | undefined) =>
  queryOptions({
    queryKey: ['apps', appId, 'chart-pivot', date ?? 'newest'],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/category-ranks/pivot',
        { params: { id: appId }, query: { date } },
        signal,
      ),
  });

const pageSize = 500;
const maxPages = 20;

/** All days of an app in the charts of a country, with gap reasons, oldest first. */
export const categoryRanksQuery = (
  appId: number,
  country: string,
  chart: ChartColumn['chart'],
  span: Span,
) =>
  queryOptions({
    queryKey: ['apps', appId, 'charts', country, chart, span],
    queryFn: async ({ signal }) => {
      const cells: CategoryRank[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxPages; page += 1) {
        const query = { ...span, country, chart, fill: 'gaps', limit: pageSize, cursor } as const;
        const response = await call(
          'GET /apps/{id}/category-ranks',
          { params: { id: appId }, query },
          signal,
        );
        cells.push(...response.items);
        if (!response.nextCursor) break;
        cursor = response.nextCursor;
      }
      return cells.toSorted((a, b) => a.date.localeCompare(b.date));
    },
  });

export const chartQuery = (store: Store, country: string, column: ChartColumn, date: string) =>
  queryOptions({
    queryKey: ['charts', store, country, column.category?.id ?? 'all', column.chart, date],
    queryFn: ({ signal }) =>
      call(
        'GET /charts',
        {
          query: {
            store,
            country,
            category: column.category?.id,
            chart: column.chart,
            date,
            limit: 200,
          },
        },
        signal,
      ),
  });
