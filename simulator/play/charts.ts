import type { AnswerContext } from '../http/answer-context.ts';
import { chartOf, maxPlaces, type SimChart } from '../world/charts.ts';
import { readPlace } from './market.ts';
import type { RenderItem } from './rendered-items.ts';

const names: Readonly<Record<string, SimChart>> = {
  topselling_free: 'free',
  topselling_paid: 'paid',
  topgrossing: 'grossing',
};

/** `vyAe2`: a top chart in the layout of a search, at most 200 places; null for a chart or category there is not. */
export function listChart(
  argument: unknown,
  context: AnswerContext,
  renderItem: RenderItem,
): string | null {
  const asked = readQuestion(argument);
  if (asked === null || context.twist === 'no-results') return null;
  const { world, day, twist } = context;
  const { country, language } = readPlace(context);
  const places = chartOf(world, {
    store: 'android',
    country,
    chart: asked.chart,
    category: asked.category,
    day,
  });
  const apps = places
    .filter((app) => !context.isGone(app.storeAppId))
    .slice(0, twist === 'shorter' ? Math.ceil(asked.limit / 8) : asked.limit);
  if (apps.length === 0) return null;
  const items = apps.map((app) => renderItem('search', app, { country, language, day }));
  const nulls = 'null,'.repeat(twist === 'index-moved' ? 26 : 24);
  return `[[null,[[null,null,null,["qgIj"],${nulls}[[${items.join(',')}]]]],null,[],true]]`;
}

/** `[[null, [[8, [20, limit]], …], [2, chart, category]]]` */
function readQuestion(
  argument: unknown,
): { chart: SimChart; category: string; limit: number } | null {
  const [question] = (Array.isArray(argument) ? argument : []) as [
    [null, [[number, [number, unknown]]], [number, unknown, unknown]],
  ];
  const limit = Number(question?.[1]?.[0]?.[1]?.[1]);
  const [, name, category] = question?.[2] ?? [];
  const chart = names[String(name)];
  if (chart === undefined || typeof category !== 'string' || !(limit >= 1)) return null;
  return { chart, category, limit: Math.min(maxPlaces, Math.floor(limit)) };
}
