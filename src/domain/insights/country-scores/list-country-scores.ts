import type { z } from 'zod';
import type { countryScores } from '#contract/country-scores.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { readDevice } from '#domain/base/device.ts';
import { AppError } from '#domain/base/errors.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { loadWordLocator } from '#domain/tracking/listings/locate-words.ts';
import { loadCountryScores, type CountryScore } from './load-country-scores.ts';

type Operation = (typeof countryScores)['GET /apps/{id}/country-scores'];
export type CountryScoresQuery = z.output<Operation['query']>;
export type CountryScoreList = z.input<Operation['responses'][200]>;

/**
 * The phrases that were requested in countries for an app, with its opportunity computed now.
 * Throws not_found, invalid_cursor, invalid_request.
 */
export async function listCountryScores(
  ctx: Ctx,
  appId: number,
  query: CountryScoresQuery,
): Promise<CountryScoreList> {
  const list = `country-scores ${appId} ${query.sort}`;
  const start = query.cursor === undefined ? 0 : readStart(list, query.cursor);
  return inTenant(ctx, async (tx) => {
    const app = await getApp(tx, ctx, appId);
    const device = readDevice('query.device', query.device, app.store);
    const { phrase = null, country = null } = query;
    const items = await loadCountryScores(tx, ctx, app, { device, phrase, country });
    const matching = items.filter((item) => matches(item, query));
    const sorted = matching.toSorted((a, b) => compareBy(query.sort, a, b));
    const end = start + query.limit;
    const page = sorted.slice(start, end);
    const markets = page.map((item) => ({ appId, country: item.country }));
    const locate = await loadWordLocator(tx, ctx, markets);
    return {
      store: app.store,
      items: page.map((item) => ({ ...item, words: locate({ appId, ...item }) })),
      nextCursor: end < sorted.length ? writeCursor(list, [end]) : null,
      total: sorted.length,
      waiting: items.filter(({ state }) => state === 'waiting').length,
    };
  });
}

function matches(item: CountryScore, query: CountryScoresQuery): boolean {
  if (query.state !== undefined && item.state !== query.state) return false;
  if (query.minTraffic !== undefined && (item.traffic ?? -1) < query.minTraffic) return false;
  return query.maxDifficulty === undefined || (item.difficulty ?? 101) <= query.maxDifficulty;
}

function readStart(list: string, cursor: string): number {
  const [start] = readCursor(list, cursor, 1);
  if (!Number.isSafeInteger(start) || (start as number) < 1) throw new AppError('invalid_cursor');
  return start as number;
}

/** Unknown values come last in both directions; ties by phrase and country. */
function compareBy(sort: CountryScoresQuery['sort'], a: CountryScore, b: CountryScore): number {
  const field = sort.replace('-', '') as
    | 'opportunity'
    | 'traffic'
    | 'difficulty'
    | 'position'
    | 'country'
    | 'phrase';
  const [left, right] = [a[field], b[field]];
  if (left === null || right === null)
    return Number(left === null) - Number(right === null) || compareNames(a, b);
  const order = left < right ? -1 : left > right ? 1 : 0;
  return (sort.startsWith('-') ? -order : order) || compareNames(a, b);
}

const compareNames = (a: CountryScore, b: CountryScore): number => {
  const [left, right] = [`${a.phrase} ${a.country}`, `${b.phrase} ${b.country}`];
  return left < right ? -1 : left > right ? 1 : 0;
};
