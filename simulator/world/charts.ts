import type { UtcDay } from '#lib/dates.ts';
import type { StoreName } from '#stores/profiles.ts';
import type { SimApp } from './apps.ts';
import { dayNumber } from './day-number.ts';
import { bell, hashText, mix } from './hash.ts';
import { rankField, type Field } from './ranking.ts';
import { subjects } from './words.ts';
import type { World } from './world.ts';

export type SimChart = 'free' | 'paid' | 'grossing';

export interface ChartQuery {
  store: StoreName;
  country: string;
  chart: SimChart;
  /** The store's own id of a category; null for all apps. */
  category: string | null;
  day: UtcDay;
}

export const maxPositions = 200;

/**
 * A top chart of one day, best first, with at most 200 positions. It moves like searches, which
 * were fitted to a recorded chart (tests/simulator/ios-charts.test.ts). Empty for an unknown
 * category.
 */
export function chartOf(world: World, query: ChartQuery): SimApp[] {
  const { store, country, chart, day } = query;
  const catalogue = world.catalogues[store];
  const { traits } = catalogue;
  const category = query.category === traits.allAppsCategory ? null : query.category;
  const inCategory = ({ subject }: SimApp) =>
    category === null || traits.isInCategory(subjects[subject]!, category);
  const candidates = catalogue.apps.filter((app) => inCategory(app) && isOfSort(app, chart));
  if (candidates.length === 0) return [];
  // A third more apps than shown, so that apps can enter the chart.
  const results = Math.min(maxPositions, Math.max(1, Math.floor(candidates.length * 0.75)));
  const key = mix(hashText(`${store}|${chart}|${category ?? ''}`, world.seed), hashText(country));
  const scored = candidates.map((app) => ({
    index: app.index,
    score: chartScore(app, chart, country),
  }));
  scored.sort((a, b) => b.score - a.score || a.index - b.index);
  const apps = Uint16Array.from(
    scored.slice(0, Math.ceil(results * 1.45) + 6),
    (entry) => entry.index,
  );
  const field: Field = { key, phrase: '', apps, results };
  return rankField(catalogue, field, country, dayNumber(world.dayIn(country, day)));
}

function isOfSort(app: SimApp, chart: SimChart): boolean {
  if (chart === 'grossing') return true;
  return chart === 'paid' ? app.priceCents > 0 : app.priceCents === 0;
}

/** The revenue or installs of an app in a country. */
function chartScore(app: SimApp, chart: SimChart, country: string): number {
  const local = 0.5 * bell(mix(app.seed, hashText(country, 61)));
  if (chart !== 'grossing') return app.popularity + local;
  return app.popularity * 0.7 + 1.6 * bell(mix(app.seed, 62)) + local;
}
