import type { z } from 'zod';
import type { keywords } from '#contract/keywords.ts';
import { readTogether, type Tx } from '#db/database.ts';
import {
  findFollowedApp,
  listKeywordIds,
  listKeywordKeys,
  type KeywordOrder,
  type KeywordKey,
} from '#db/queries/keywords/keywords.ts';
import { listPublished } from '#db/queries/popularity/published.ts';
import { utcDayOf } from '#lib/dates.ts';
import { decodeCursor, encodeCursor, isStorable } from '#lib/text.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { AppError, invalid, notFound } from '#domain/base/errors.ts';
import type { KeywordScores } from '#domain/base/ports/keyword-score-reader.ts';
import type { RankChanges } from '../rankings/rank-change.ts';
import { recentChanges } from '../rankings/recent-ranks.ts';
import { findNewestSerp } from '../serps/get-serp.ts';
import { loadKeywordRecords } from './keyword-records.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';

type Operation = (typeof keywords)['GET /apps/{id}/keywords'];
export type KeywordQuery = z.output<Operation['query']>;
export type KeywordList = z.input<Operation['responses'][200]>;
export type KeywordDetail = z.input<
  (typeof keywords)['GET /keywords/{keywordId}']['responses'][200]
>;
type SortKey = string | number | null;

/**
 * A page of an app's keywords. Keywords without a value of the sort column come last in both
 * directions.
 */
export function listKeywords(ctx: Ctx, appId: number, query: KeywordQuery): Promise<KeywordList> {
  return inTenant(ctx, async (tx) => {
    const after = readCursor(appId, query);
    const [app, ids] = await readTogether(
      tx,
      () => findFollowedApp(tx, ctx.workspaceId, appId),
      () => listSortedIds(tx, ctx, appId, query),
    );
    if (!app) throw notFound();
    const start = findStart(ids, after);
    const page = ids.slice(start, start + query.limit);
    const end = start + page.length;
    return {
      items: await loadKeywordRecords(tx, ctx, page, query.include),
      nextCursor:
        end < ids.length
          ? encodeCursor([`keywords ${appId} ${query.sort}`, page.at(-1)!, end])
          : null,
      total: ids.length,
    };
  });
}

/** A live keyword of this workspace. Throws not_found. */
export function getKeyword(
  ctx: Ctx,
  keywordId: number,
  include: readonly string[] = [],
): Promise<KeywordDetail> {
  return inTenant(ctx, async (tx) => {
    const [record] = await loadKeywordRecords(tx, ctx, [keywordId], include);
    if (!record) throw notFound();
    return include.includes('serp')
      ? { ...record, serp: await findNewestSerp(tx, ctx, keywordId) }
      : record;
  });
}

async function listSortedIds(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  query: KeywordQuery,
): Promise<number[]> {
  for (const name of ['q', 'tag'] as const)
    if (!isStorable(query[name] ?? '')) throw invalid(name, 'no NUL and no lone surrogates');
  const { country, device, tag, state } = query;
  const text = query.q ? normalisePhrase(query.q) : undefined;
  const field = query.sort.replace('-', '');
  const needsPeriods = field.startsWith('change') || isScore(field);
  const filter = { appId, country, device, tag, state, text };
  const isByPublished = field === 'published' || isFilteredByPublished(query);
  if (!isByPublished && isStored(query.sort))
    return listKeywordIds(tx, ctx.workspaceId, filter, query.sort);
  const all = await listKeywordKeys(tx, ctx.workspaceId, { ...filter, needsPeriods });
  const published = isByPublished ? await loadListed(tx, all) : null;
  const keys = published ? all.filter((key) => isShown(query, published.get(key.marketId))) : all;
  const recent = field.startsWith('change')
    ? await recentChanges(tx, keys, utcDayOf(ctx.clock.now()))
    : null;
  const scores = isScore(field) ? await ctx.keywordScores.readScores(tx, keys) : null;
  const direction = query.sort.startsWith('-') ? -1 : 1;
  const rows = keys.map((key) => ({
    id: key.id,
    by: isScore(field)
      ? scoreKeyOf(field, scores?.get(key.id))
      : field === 'published'
        ? (published?.get(key.marketId) ?? null)
        : sortKeyOf(field, key, recent?.get(key.id)),
  }));
  return rows.sort((a, b) => compare(a.by, b.by, direction) || a.id - b.id).map((row) => row.id);
}

/** PostgreSQL sorts by the keyword's own columns; the others are computed here. */
const isStored = (sort: string): sort is KeywordOrder =>
  ['phrase', 'position', 'createdAt'].includes(sort.replace('-', ''));

/** The published popularity by market; null for phrases that are not listed. */
async function loadListed(
  tx: Tx,
  keys: readonly KeywordKey[],
): Promise<Map<number, number | null>> {
  const rows = await listPublished(tx, [...new Set(keys.map(({ marketId }) => marketId))]);
  return new Map(rows.map(({ marketId, popularity }) => [marketId, popularity]));
}

const isFilteredByPublished = ({ published, minPublished }: KeywordQuery): boolean =>
  published !== undefined || minPublished !== undefined;

/** `popularity` is undefined where nothing is published about the country or the device. */
function isShown(query: KeywordQuery, popularity: number | null | undefined): boolean {
  if (query.published === 'listed' && typeof popularity !== 'number') return false;
  if (query.published === 'unlisted' && popularity !== null) return false;
  return query.minPublished === undefined || (popularity ?? 0) >= query.minPublished;
}

function sortKeyOf(field: string, key: KeywordKey, recent: RankChanges | undefined): SortKey {
  if (field === 'phrase') return key.phrase;
  if (field === 'position') return key.latestPosition;
  if (field === 'createdAt') return key.createdAtMs;
  return recent?.[field as 'change1d' | 'change7d' | 'change30d'].positionsGained ?? null;
}

const isScore = (field: string): field is 'traffic' | 'difficulty' | 'opportunity' =>
  ['traffic', 'difficulty', 'opportunity'].includes(field);

function scoreKeyOf(
  field: 'traffic' | 'difficulty' | 'opportunity',
  scores: KeywordScores | undefined,
): SortKey {
  return (field === 'opportunity' ? scores?.opportunity?.opportunity : scores?.[field]) ?? null;
}

function compare(a: SortKey, b: SortKey, direction: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a === b ? 0 : a < b ? -direction : direction;
}

interface KeywordCursor {
  lastId: number;
  /** The index of the first keyword of the next page. */
  index: number;
}

/** Rejects a cursor of another list, app or order. */
function readCursor(
  appId: number,
  { cursor, sort }: Pick<KeywordQuery, 'cursor' | 'sort'>,
): KeywordCursor | null {
  if (cursor === undefined) return null;
  const [list, lastId, index] = decodeCursor(cursor, 3) ?? [];
  if (list !== `keywords ${appId} ${sort}` || !isCount(lastId) || !isCount(index))
    throw new AppError('invalid_cursor');
  return { lastId, index };
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

/**
 * Continues after the last keyword of the previous page, or at the stored index when that keyword
 * was deleted.
 */
function findStart(ids: number[], after: KeywordCursor | null): number {
  if (!after) return 0;
  const index = ids.indexOf(after.lastId);
  return index === -1 ? Math.min(after.index, ids.length) : index + 1;
}
