import { charts } from '../../contract/charts.ts';
import { readCategoryRanks } from '../../domain/charts/read-category-ranks.ts';
import { readKeptChart } from '../../domain/charts/read-kept-chart.ts';
import { readPivot } from '../../domain/charts/read-pivot.ts';
import { routesOf } from '../route.ts';

export const chartsRoutes = routesOf(charts, {
  'GET /apps/{id}/category-ranks': ({ ctx, params, query }) =>
    readCategoryRanks(ctx, params.id, query),
  'GET /apps/{id}/category-ranks/pivot': ({ ctx, params, query }) =>
    readPivot(ctx, params.id, query),
  'GET /charts': ({ ctx, query }) => readKeptChart(ctx, query),
});
