import type { UtcDay } from '../../src/lib/dates.ts';
import type { StoreName } from '../store-name.ts';
import type { SimApp } from './apps.ts';
import { dayNumber } from './day-number.ts';
import { bell, hashText, mix } from './hash.ts';
import { rankField, type Field } from './ranking.ts';
import { subjects } from './words.ts';
import type { World } from './world.ts';

export type SimChart = 'free' | 'paid' | 'grossing';

export interface ChartQuestion {
  store: StoreName;
  country: string;
  chart: SimChart;
  /** The store's own id of a category; null for all apps. */
  category: string | null;
  day: UtcDay;
}

export const maxPlaces = 200;

/**
 * A top chart of one day, best first, at most 200 places. It moves as searches do, which were fitted to a recorded
 * chart (tests/simulator/ios-charts.test.ts). A category nobody has heard of has no places.
 */
export function chartOf(world: World, question: ChartQuestion): SimApp[] {
  const { store, country, chart, day } = question;
  // The stores have names of their own for everything.
  const category =
    question.category === '36' || question.category === 'APPLICATION' ? null : question.category;
  const catalogue = world.catalogues[store];
  const inCategory = categoryTest(store, category);
  const candidates = catalogue.apps.filter((app) => inCategory(app) && isOfSort(app, chart));
  if (candidates.length === 0) return [];
  // A third more than is shown stands behind the last place, so that there is somebody to come in.
  const results = Math.min(maxPlaces, Math.max(1, Math.floor(candidates.length * 0.75)));
  const key = mix(hashText(`${store}|${chart}|${category ?? ''}`, world.seed), hashText(country));
  const scored = candidates.map((app) => ({
    index: app.index,
    score: standing(app, chart, country),
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

/** What an app earns or draws in a country. */
function standing(app: SimApp, chart: SimChart, country: string): number {
  const local = 0.5 * bell(mix(app.seed, hashText(country, 61)));
  if (chart !== 'grossing') return app.popularity + local;
  return app.popularity * 0.7 + 1.6 * bell(mix(app.seed, 62)) + local;
}

/** `GAME` is Android's own name for all games. */
function categoryTest(store: StoreName, category: string | null): (app: SimApp) => boolean {
  if (category === null) return () => true;
  return ({ subject }) => {
    const { ios, android } = subjects[subject]!;
    if (store === 'ios') return String(ios) === category;
    return android === category || (category === 'GAME' && android.startsWith('GAME'));
  };
}
