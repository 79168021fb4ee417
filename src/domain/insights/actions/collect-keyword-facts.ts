import type { Tx } from '#db/database.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import { notChecked } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { loadOwnRows } from '#domain/tracking/rankings/load-visible-rows.ts';
import { firstDayOf } from '#domain/tracking/rankings/tracking-periods.ts';
import {
  findCheckedAtOrBefore,
  keepProviderOf,
  pairAt,
  type RankPair,
  type VisibleRow,
} from '#domain/tracking/rankings/visible-rows.ts';
import { windowOf } from '#domain/base/day-window.ts';
import { readKeywordScores } from '../scores/keyword-scores.ts';
import { loadLiveKeywords, type LiveKeyword } from '#domain/tracking/serps/live-keywords.ts';
import type { KeywordFacts } from './facts.ts';
import { dailyRankDays, positionMaxAgeDays } from './thresholds.ts';

export interface CollectedKeyword {
  keyword: LiveKeyword;
  facts: KeywordFacts;
}

/** The tracked keywords of an app, by id. Six statements. Throws not_found. */
export async function collectKeywordFacts(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId' | 'clock'>,
  app: { id: number; listingId: number },
): Promise<CollectedKeyword[]> {
  const today = utcDayOf(ctx.clock.now());
  const { keywords } = await loadLiveKeywords(tx, ctx, app.id);
  const followed = keywords
    .filter((keyword) => !keyword.paused)
    .map((keyword) => ({ ...keyword, listingId: app.listingId }));
  const window = windowOf(addDays(today, 1 - dailyRankDays), today);
  const rows = (await loadOwnRows(tx, window, followed)).map((row) =>
    keepProviderOf(row, window.days.length - 1),
  );
  const scores = await readKeywordScores(tx, followed);
  return followed.map((keyword, index) => {
    const score = scores.get(keyword.id);
    const row = rows[index]!;
    const newest = findCheckedAtOrBefore(row, window.days.length - 1, positionMaxAgeDays);
    const facts: KeywordFacts = {
      id: keyword.id,
      phrase: keyword.phrase,
      country: keyword.country,
      device: keyword.device,
      followedSince: firstDayOf(keyword.trackingPeriods) ?? today,
      traffic: score?.traffic ?? null,
      difficulty: score?.difficulty ?? null,
      opportunity: score?.opportunity?.opportunity ?? null,
      latest: pairAt(row, window.days, newest),
      checks: listChecks(row, window.days),
    };
    return { keyword, facts };
  });
}

function listChecks(row: VisibleRow, days: readonly string[]): RankPair[] {
  const checks: RankPair[] = [];
  for (let index = 0; index < days.length; index += 1)
    if (row.dailyRanks[index] !== notChecked) checks.push(pairAt(row, days, index)!);
  return checks;
}
