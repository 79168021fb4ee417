import type { z } from 'zod';
import type { scores } from '#contract/scores.ts';
import { listKeywordsToRate } from '#db/queries/scores/keyword-scores.ts';
import { findFollowedApp } from '#db/queries/keywords/keywords.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { AppError, notFound } from '#domain/base/errors.ts';
import { readKeywordScores } from './keyword-scores.ts';

type Operation = (typeof scores)['GET /apps/{id}/opportunities'];
export type OpportunityQuery = z.output<Operation['query']>;
export type OpportunityList = z.input<Operation['responses'][200]>;
type Item = OpportunityList['items'][number];

/** The opportunity of each keyword of an app, computed now. Throws not_found, invalid_cursor. */
export async function listOpportunities(
  ctx: Ctx,
  appId: number,
  query: OpportunityQuery,
): Promise<OpportunityList> {
  const list = `opportunities ${appId} ${query.sort}`;
  const start = query.cursor === undefined ? 0 : readStart(list, query.cursor);
  const { store, keywords, rated } = await inTenant(ctx, async (tx) => {
    const app = await findFollowedApp(tx, ctx.workspaceId, appId);
    if (!app) throw notFound();
    const { country = null, device = null, keywordIds = null } = query;
    const filter = { appId, country, device, keywordIds };
    const rows = await listKeywordsToRate(tx, ctx.workspaceId, filter);
    return { store: app.store, keywords: rows, rated: await readKeywordScores(tx, rows) };
  });
  const items = keywords.flatMap(({ id, phrase, country, device }): Item[] => {
    const opportunity = rated.get(id)?.opportunity;
    return opportunity ? [{ keywordId: id, phrase, country, device, ...opportunity }] : [];
  });
  const matching = items.filter(
    ({ components }) =>
      components.traffic >= (query.minTraffic ?? 0) &&
      components.difficulty <= (query.maxDifficulty ?? 100),
  );
  const sorted = matching.toSorted((a, b) => compareBy(query.sort, a, b));
  const end = start + query.limit;
  return {
    store,
    items: sorted.slice(start, end),
    nextCursor: end < sorted.length ? writeCursor(list, [end]) : null,
    total: sorted.length,
    unscored: keywords.length - items.length,
  };
}

function readStart(list: string, cursor: string): number {
  const [start] = readCursor(list, cursor, 1);
  if (!Number.isSafeInteger(start) || (start as number) < 1) throw new AppError('invalid_cursor');
  return start as number;
}

/** A position that was not found comes last in both directions; ties by the older keyword. */
function compareBy(sort: OpportunityQuery['sort'], a: Item, b: Item): number {
  const [left, right] = [keyOf(sort, a), keyOf(sort, b)];
  if (left === null || right === null)
    return Number(left === null) - Number(right === null) || a.keywordId - b.keywordId;
  return (sort.startsWith('-') ? right - left : left - right) || a.keywordId - b.keywordId;
}

function keyOf(sort: OpportunityQuery['sort'], { opportunity, components }: Item): number | null {
  const field = sort.replace('-', '') as 'opportunity' | 'traffic' | 'difficulty' | 'position';
  return field === 'opportunity' ? opportunity : components[field];
}
