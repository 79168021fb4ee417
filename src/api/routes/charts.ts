import { charts } from '#contract/charts.ts';
import { getCategoryRanks } from '#domain/tracking/charts/get-category-ranks.ts';
import { getChart } from '#domain/tracking/charts/get-chart.ts';
import { getCategoryPivot } from '#domain/tracking/charts/get-category-pivot.ts';
import { routesOf } from '../route.ts';

export const chartsRoutes = routesOf(charts, {
  'GET /apps/{id}/category-ranks': ({ ctx, params, query }) =>
    getCategoryRanks(ctx, params.id, query),
  'GET /apps/{id}/category-ranks/pivot': ({ ctx, params, query }) =>
    getCategoryPivot(ctx, params.id, query),
  'GET /charts': ({ ctx, query }) => getChart(ctx, query),
});
