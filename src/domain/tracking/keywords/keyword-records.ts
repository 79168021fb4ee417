import type { z } from 'zod';
import type { keyword } from '#contract/keywords.ts';
import { readTogether, type Tx } from '#db/database.ts';
import { listKeywordRows, type KeywordRow } from '#db/queries/keywords/keywords.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import { servesDevice } from '#domain/base/ports.ts';
import type { KeywordScores } from '#domain/base/ports/keyword-score-reader.ts';
import { loadWordLocator } from '../listings/locate-words.ts';
import { loadPublished } from '../popularity/load-published.ts';
import { loadSeriesOfListings, type ProviderSeries } from '../rankings/provider-series.ts';
import { loadLatestResultCounts } from '../rankings/result-counts.ts';
import { loadRecentRanks, type RankChange, type RecentRanks } from '../rankings/recent-ranks.ts';

export type KeywordRecord = z.input<typeof keyword>;
export const unknownChange: RankChange = { positionsGained: null, from: null, kind: 'unknown' };

/**
 * The records of live keywords in the order of `ids`; ids of other workspaces are omitted.
 * `include` may contain `spark`, `scores` and `words`. Nine statements for any number of keywords;
 * scores take one more, and words two. A read database gets them in two or three writes.
 */
export async function loadKeywordRecords(
  tx: Tx,
  ctx: Ctx,
  ids: readonly number[],
  include: readonly string[] = [],
): Promise<KeywordRecord[]> {
  if (ids.length === 0) return [];
  const now = ctx.clock.now();
  const rows = await listKeywordRows(tx, ctx.workspaceId, ids);
  const [withSpark, withScores, withWords] = (['spark', 'scores', 'words'] as const).map((part) =>
    include.includes(part),
  );
  const ofMarkets = rows.map(({ marketId, latestOn, isLatestImported }) => ({
    marketId,
    hasResults: latestOn !== null && !isLatestImported,
  }));
  const [recent, series, results, scores, provenances, published, locate] = await readTogether(
    tx,
    () => loadRecentRanks(tx, rows, utcDayOf(now)),
    () => loadSeriesOfListings(tx, rows),
    () => loadLatestResultCounts(tx, ctx, ids),
    () => ctx.keywordScores.readScores(tx, rows),
    async () => (withScores ? ctx.keywordScores.readProvenance(tx, rows) : null),
    () => loadPublished(tx, ofMarkets),
    async () => (withWords ? loadWordLocator(tx, ctx, rows) : null),
  );
  const records = new Map(
    rows.map((row) => {
      const record = {
        ...toRecord(row, recent.get(row.id), withSpark === true),
        best: bestOf(row, series, utcDayOf(now)),
        latest: latestOf(row, series, results.get(row.id)),
        pending: pendingOf(row, series, now),
        ...toScores(scores.get(row.id)),
        published: published.get(row.marketId) ?? null,
        ...(locate && { words: locate(row) }),
      };
      return [
        row.id,
        provenances ? { ...record, scores: provenances.get(row.id) ?? null } : record,
      ];
    }),
  );
  return ids.flatMap((id) => records.get(id) ?? []);
}

type ScoresOfKeyword = Pick<
  KeywordRecord,
  'traffic' | 'trafficRange' | 'difficulty' | 'difficultyRange' | 'opportunity'
>;

function toScores(scores: KeywordScores | undefined): ScoresOfKeyword {
  return {
    traffic: scores?.traffic ?? null,
    trafficRange: scores?.trafficRange ?? null,
    difficulty: scores?.difficulty ?? null,
    difficultyRange: scores?.difficultyRange ?? null,
    opportunity: scores?.opportunity?.opportunity ?? null,
  };
}

function toRecord(
  row: KeywordRow,
  recent: RecentRanks | undefined,
  withSpark: boolean,
): Omit<
  KeywordRecord,
  'best' | 'latest' | 'pending' | 'published' | 'scores' | keyof ScoresOfKeyword
> {
  return {
    id: row.id,
    appId: row.appId,
    phrase: row.phrase,
    country: row.country,
    device: row.device,
    depth: row.depth,
    tags: row.tags,
    note: row.note,
    favorite: row.favorite,
    paused: row.paused,
    createdAt: row.createdAt.toISOString(),
    change1d: recent?.change1d ?? unknownChange,
    change7d: recent?.change7d ?? unknownChange,
    change30d: recent?.change30d ?? unknownChange,
    ...(withSpark ? { spark: recent?.spark() ?? [] } : {}),
  };
}

/** Null for a best position of another provider than today's. */
function bestOf(row: KeywordRow, series: ProviderSeries, today: UtcDay): KeywordRecord['best'] {
  const { bestPosition: position, bestOn: date, listingId } = row;
  if (position === null || date === null) return null;
  const isCurrent = series.find(listingId, date) === series.find(listingId, today);
  return isCurrent ? { position, date } : null;
}

function latestOf(
  row: KeywordRow,
  series: ProviderSeries,
  resultCount: number | undefined,
): KeywordRecord['latest'] {
  if (row.latestOn === null) return null;
  return {
    date: row.latestOn,
    keywordId: row.id,
    state: row.latestPosition === null ? 'not_found' : 'ranked',
    position: row.latestPosition,
    depth: row.latestDepth!,
    ...(resultCount !== undefined && !row.isLatestImported && { resultCount }),
    checkedAt: row.latestAt!.toISOString(),
    provider: series.ofLatest(row.listingId, row.latestOn, row.importedProvider),
  };
}

/**
 * The reason why today has no rank yet; null when it has one, or when the daily run has not reached
 * it.
 */
function pendingOf(row: KeywordRow, series: ProviderSeries, now: Date): KeywordRecord['pending'] {
  const today = utcDayOf(now);
  if (row.latestOn === today) return null;
  if (row.paused) return 'paused';
  if (row.held) return null;
  if (!servesDevice(row.store, series.find(row.listingId, today), row.device)) return 'not_served';
  if (row.queuedUntil !== null && row.queuedUntil > now) return 'running';
  if (row.checkedOn === today) return row.urgentAt === null ? null : 'queued';
  if (row.completedOn === today || (row.attemptsOn === today && row.attempts > 0))
    return 'store_error';
  return row.urgentAt === null ? null : 'queued';
}
