import type { z } from 'zod';
import type { popularity } from '#contract/popularity.ts';
import {
  findPopularitySet,
  listKeywordsOfTerms,
  listPopularityTerms,
  type PopularitySetRow,
  type PopularityTermRow,
  type TermKeyword,
} from '#db/queries/popularity/terms.ts';
import type { Tx } from '#db/database.ts';
import { addDays } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { AppError } from '#domain/base/errors.ts';
import { storeProfiles } from '#domain/base/ports.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { loadWordLocator, type WordLocator } from '../listings/locate-words.ts';
import { toPeriod } from './list-periods.ts';

type Operation = (typeof popularity)['GET /popularity/terms'];
type TermQuery = z.output<Operation['query']>;
export type TermList = z.input<Operation['responses'][200]>;

const counting = storeProfiles.flatMap(({ id, popularity: counts }) =>
  counts ? [{ store: id, devices: counts.devices }] : [],
);

/**
 * A page of the published terms of a country, of the newest period by default. Throws
 * invalid_cursor, also when the period was imported again since the page before.
 */
export function listTerms(ctx: Ctx, query: TermQuery): Promise<TermList> {
  return inTenant(ctx, async (tx) => {
    assertStorable('q', query.q);
    const { country, granularity } = query;
    const at = { country, granularity };
    const found = await findPopularitySet(tx, { ...at, until: query.period ?? null });
    const set = query.period === undefined || found?.period === query.period ? found : undefined;
    const offset = readOffset(query, set);
    if (!set) return { items: [], nextCursor: null, total: 0, set: null, previousPeriod: null };
    const until = addDays(set.period, -1);
    const previous = await findPopularitySet(tx, { ...at, until });
    const rows = await listPopularityTerms(tx, {
      setId: set.id,
      previousId: previous?.id ?? null,
      genre: query.genre ?? null,
      movement: query.movement ?? null,
      text: query.q === undefined ? null : normalisePhrase(query.q),
      offset,
      limit: query.limit,
    });
    const keywords = await findKeywords(tx, ctx, country, rows);
    const locate = await locateFor(tx, ctx, query);
    const end = offset + rows.length;
    const total = rows[0]?.total ?? 0;
    return {
      items: rows.map((row) => ({
        ...toTerm(row, previous, keywords.get(row.term) ?? []),
        words: locate(row.term),
      })),
      nextCursor: end < total ? writeCursor(nameList(query), [set.id, end]) : null,
      total,
      set: toPeriod(set),
      previousPeriod: previous?.period ?? null,
    };
  });
}

const nameList = ({ country, granularity, period, genre, movement, q }: TermQuery): string =>
  ['popularity', country, granularity, period, genre, movement, q].join(' ');

/** A set never changes, so a page of it continues at an offset. */
function readOffset(query: TermQuery, set: PopularitySetRow | undefined): number {
  if (query.cursor === undefined) return 0;
  const [setId, offset] = readCursor(nameList(query), query.cursor, 2);
  const isOffset = Number.isSafeInteger(offset) && Number(offset) >= 0 && Number(offset) < 1e6;
  if (setId !== set?.id || !isOffset) throw new AppError('invalid_cursor');
  return offset as number;
}

async function findKeywords(
  tx: Tx,
  ctx: Ctx,
  country: string,
  rows: readonly PopularityTermRow[],
): Promise<Map<string, TermKeyword[]>> {
  const keywords = await listKeywordsOfTerms(tx, ctx.workspaceId, {
    stores: counting.map(({ store }) => store),
    devices: counting.flatMap(({ devices }) => devices),
    country,
    phrases: rows.map(({ term }) => term),
  });
  return Map.groupBy(keywords, ({ phrase }) => phrase);
}

/** The words of terms in the texts of the requested app; null without one. */
async function locateFor(
  tx: Tx,
  ctx: Ctx,
  { appId, country }: TermQuery,
): Promise<(term: string) => ReturnType<WordLocator>> {
  if (appId === undefined) return () => null;
  const locate = await loadWordLocator(tx, ctx, [{ appId, country }]);
  return (phrase) => locate({ appId, country, phrase });
}

function toTerm(
  row: PopularityTermRow,
  previous: PopularitySetRow | undefined,
  keywords: readonly TermKeyword[],
): Omit<TermList['items'][number], 'words'> {
  const { previousRank } = row;
  return {
    term: row.term,
    original: row.original,
    genre: row.genre,
    rankInGenre: row.rank,
    popularityInGenre: row.popularityInGenre,
    popularity: row.popularity,
    popularityLevel: row.level,
    previousRank,
    ranksGained: previousRank === null ? null : previousRank - row.rank,
    isNew: previous !== undefined && previousRank === null,
    keywords: keywords.map(({ keywordId, appId }) => ({ keywordId, appId })),
  };
}
