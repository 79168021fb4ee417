import type { Tx } from '../../db/database.ts';
import { addDays, utcDayOf } from '../../lib/dates.ts';
import type { Ctx } from '../context.ts';
import { notChecked } from '../rankings/cells.ts';
import { readVisibleRows } from '../rankings/read-visible.ts';
import { firstDayOf } from '../rankings/terms.ts';
import {
  findCheckedAtOrBefore,
  pairAt,
  type RankPair,
  type VisibleRow,
} from '../rankings/visible.ts';
import { windowOf } from '../rankings/window.ts';
import { readKeywordScores } from '../scores/keyword-scores.ts';
import { readJudgedKeywords, type JudgedKeyword } from '../serps/judged-keywords.ts';
import type { KeywordFacts } from './facts.ts';
import { cellDays, standingDays } from './thresholds.ts';

export interface GatheredKeyword {
  judged: JudgedKeyword;
  facts: KeywordFacts;
}

/** The keywords of an app that are followed now, by id. Six statements. Throws not_found. */
export async function gatherKeywords(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId' | 'clock'>,
  app: { id: number; listingId: number },
): Promise<GatheredKeyword[]> {
  const today = utcDayOf(ctx.clock.now());
  const { keywords } = await readJudgedKeywords(tx, ctx, app.id);
  const followed = keywords
    .filter((keyword) => !keyword.paused)
    .map((keyword) => ({ ...keyword, listingId: app.listingId }));
  const window = windowOf(addDays(today, 1 - cellDays), today);
  const rows = await readVisibleRows(tx, window, followed);
  const scores = await readKeywordScores(tx, followed);
  return followed.map((judged, index) => {
    const score = scores.get(judged.id);
    const row = rows[index]!;
    const newest = findCheckedAtOrBefore(row, window.days.length - 1, standingDays);
    const facts: KeywordFacts = {
      id: judged.id,
      phrase: judged.phrase,
      country: judged.country,
      followedSince: firstDayOf(judged.terms) ?? today,
      traffic: score?.traffic ?? null,
      difficulty: score?.difficulty ?? null,
      opportunity: score?.opportunity?.opportunity ?? null,
      latest: pairAt(row, window.days, newest),
      checks: listChecks(row, window.days),
    };
    return { judged, facts };
  });
}

function listChecks(row: VisibleRow, days: readonly string[]): RankPair[] {
  const checks: RankPair[] = [];
  for (let index = 0; index < days.length; index += 1)
    if (row.cells[index] !== notChecked) checks.push(pairAt(row, days, index)!);
  return checks;
}
