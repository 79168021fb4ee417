import { isUtcDay } from '#lib/dates.ts';
import { isStoreName, type StoreName } from '#stores/profiles.ts';
import type { SimulatorCore } from './core.ts';
import type { Overrides } from './world/overrides.ts';

/** `GET /_sim/reviews|chart|hints`: the ground truth of a query. Throws on a malformed query. */
export function getReviewsGroundTruth(core: SimulatorCore, { searchParams: query }: URL): unknown {
  const at = query.get('at');
  if (at !== null && Number.isNaN(Date.parse(at))) throw new Error(`not an instant: ${at}`);
  const reviewsQuery = { ...readStorefront(query), storeAppId: need(query, 'storeAppId') };
  return {
    reviews: core.reviews({ ...reviewsQuery, ...(at === null ? {} : { at: new Date(at) }) }),
  };
}

export function getChartGroundTruth(core: SimulatorCore, { searchParams: query }: URL): unknown {
  const chart = need(query, 'chart');
  if (chart !== 'free' && chart !== 'paid' && chart !== 'grossing')
    throw new Error(`not a chart: ${chart}`);
  return {
    storeAppIds: core.chart({
      ...readStorefront(query),
      ...readDay(query),
      chart,
      category: query.get('category'),
    }),
  };
}

export function getHintsGroundTruth(core: SimulatorCore, { searchParams: query }: URL): unknown {
  return {
    terms: core.hints({
      ...readStorefront(query),
      ...readDay(query),
      prefix: need(query, 'prefix'),
    }),
  };
}

/** Parses the body of `POST /_sim/overrides`. Throws on a malformed body. */
export function parseOverrides(body: string): Overrides {
  const overrides = JSON.parse(body) as Overrides;
  const { reviews = [], releases = [], entrants = [], positions = [] } = overrides;
  for (const { store, country, at, rating } of reviews) {
    requireStore(store);
    requireCountry(country);
    if (Number.isNaN(Date.parse(at))) throw new Error(`not an instant: ${at}`);
    if (![1, 2, 3, 4, 5].includes(rating)) throw new Error(`not a rating: ${rating}`);
  }
  for (const { store, day } of [...releases, ...entrants, ...positions]) {
    requireStore(store);
    if (!isUtcDay(day)) throw new Error(`not a day: ${day}`);
  }
  for (const { fields } of releases) {
    if (fields.rating !== undefined && !(fields.rating >= 1 && fields.rating <= 5))
      throw new Error(`not a rating: ${fields.rating}`);
  }
  for (const { country, position } of [...entrants, ...positions]) {
    requireCountry(country);
    if (position !== null && (!Number.isInteger(position) || position < 1))
      throw new Error(`not a position: ${position}`);
  }
  return { reviews, releases, entrants, positions };
}

function readStorefront(query: URLSearchParams): { store: StoreName; country: string } {
  const store = need(query, 'store');
  return { store: requireStore(store), country: need(query, 'country').toLowerCase() };
}

function readDay(query: URLSearchParams): { day?: string } {
  const day = query.get('day');
  if (day !== null && !isUtcDay(day)) throw new Error(`not a day: ${day}`);
  return day === null ? {} : { day };
}

export function requireStore(store: string): StoreName {
  if (!isStoreName(store)) throw new Error(`not a store: ${store}`);
  return store;
}

function requireCountry(country: string): void {
  if (!/^[a-z]{2}$/.test(country)) throw new Error(`not a country: ${country}`);
}

function need(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null) throw new Error(`missing: ${name}`);
  return value;
}
