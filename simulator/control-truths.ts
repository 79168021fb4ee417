import { isUtcDay } from '../src/lib/dates.ts';
import type { SimulatorCore } from './core.ts';
import type { Planting } from './world/plants.ts';

/** `GET /_sim/reviews|chart|hints`: the truths as the query asks for them; throws on a question it cannot read. */
export function readReviewsTruth(core: SimulatorCore, { searchParams: query }: URL): unknown {
  const at = query.get('at');
  if (at !== null && Number.isNaN(Date.parse(at))) throw new Error(`not an instant: ${at}`);
  const question = { ...readPlace(query), storeAppId: need(query, 'storeAppId') };
  return { reviews: core.reviews({ ...question, ...(at === null ? {} : { at: new Date(at) }) }) };
}

export function readChartTruth(core: SimulatorCore, { searchParams: query }: URL): unknown {
  const chart = need(query, 'chart');
  if (chart !== 'free' && chart !== 'paid' && chart !== 'grossing')
    throw new Error(`not a chart: ${chart}`);
  return {
    storeAppIds: core.chart({
      ...readPlace(query),
      ...readDay(query),
      chart,
      category: query.get('category'),
    }),
  };
}

export function readHintsTruth(core: SimulatorCore, { searchParams: query }: URL): unknown {
  return {
    terms: core.hints({ ...readPlace(query), ...readDay(query), prefix: need(query, 'prefix') }),
  };
}

/** The body of `POST /_sim/plant`. */
export function readPlanting(body: string): Planting {
  const planting = JSON.parse(body) as Planting;
  const { reviews = [], releases = [], entrants = [], places = [] } = planting;
  for (const { store, country, at, rating } of reviews) {
    requireStore(store);
    requireCountry(country);
    if (Number.isNaN(Date.parse(at))) throw new Error(`not an instant: ${at}`);
    if (![1, 2, 3, 4, 5].includes(rating)) throw new Error(`not a rating: ${rating}`);
  }
  for (const { store, day } of [...releases, ...entrants, ...places]) {
    requireStore(store);
    if (!isUtcDay(day)) throw new Error(`not a day: ${day}`);
  }
  for (const { fields } of releases) {
    if (fields.rating !== undefined && !(fields.rating >= 1 && fields.rating <= 5))
      throw new Error(`not a rating: ${fields.rating}`);
  }
  for (const { country, position } of [...entrants, ...places]) {
    requireCountry(country);
    if (position !== null && (!Number.isInteger(position) || position < 1))
      throw new Error(`not a position: ${position}`);
  }
  return { reviews, releases, entrants, places };
}

function readPlace(query: URLSearchParams): { store: 'ios' | 'android'; country: string } {
  const store = need(query, 'store');
  return { store: requireStore(store), country: need(query, 'country').toLowerCase() };
}

function readDay(query: URLSearchParams): { day?: string } {
  const day = query.get('day');
  if (day !== null && !isUtcDay(day)) throw new Error(`not a day: ${day}`);
  return day === null ? {} : { day };
}

function requireStore(store: string): 'ios' | 'android' {
  if (store !== 'ios' && store !== 'android') throw new Error(`not a store: ${store}`);
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
