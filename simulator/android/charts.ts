import type { ResponseContext } from '../http/response-context.ts';
import { chartOf, maxPositions, type SimChart } from '../world/charts.ts';
import { readStorefront } from './storefront.ts';
import type { RenderItem } from './rendered-items.ts';

const names: Readonly<Record<string, SimChart>> = {
  topselling_free: 'free',
  topselling_paid: 'paid',
  topgrossing: 'grossing',
};

/**
 * `vyAe2`: a top chart in the layout of a search, with at most 200 positions; null for an unknown
 * chart or category.
 */
export function listChart(
  argument: unknown,
  context: ResponseContext,
  renderItem: RenderItem,
): string | null {
  const query = readChartQuery(argument);
  if (query === null || context.mutation === 'no-results') return null;
  const { world, day, mutation } = context;
  const { country, language } = readStorefront(context);
  const ranked = chartOf(world, {
    store: 'android',
    country,
    chart: query.chart,
    category: query.category,
    day,
  });
  const apps = ranked
    .filter((app) => !context.isGone(app.storeAppId))
    .slice(0, mutation === 'shorter' ? Math.ceil(query.limit / 8) : query.limit);
  if (apps.length === 0) return null;
  const items = apps.map((app) => renderItem('search', app, { country, language, day }));
  const nulls = 'null,'.repeat(mutation === 'index-moved' ? 26 : 24);
  return `[[null,[[null,null,null,["qgIj"],${nulls}[[${items.join(',')}]]]],null,[],true]]`;
}

/** `[[null, [[8, [20, limit]], …], [2, chart, category]]]` */
function readChartQuery(
  argument: unknown,
): { chart: SimChart; category: string; limit: number } | null {
  const [chartQuery] = (Array.isArray(argument) ? argument : []) as [
    [null, [[number, [number, unknown]]], [number, unknown, unknown]],
  ];
  const limit = Number(chartQuery?.[1]?.[0]?.[1]?.[1]);
  const [, name, category] = chartQuery?.[2] ?? [];
  const chart = names[String(name)];
  if (chart === undefined || typeof category !== 'string' || !(limit >= 1)) return null;
  return { chart, category, limit: Math.min(maxPositions, Math.floor(limit)) };
}
