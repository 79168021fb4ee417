import { listNewestScores, type NewestScore } from '#db/queries/scores/scores.ts';
import type { KeywordScoreReader } from '#domain/base/ports/keyword-score-reader.ts';
import { parseTrackingPeriods } from '#domain/tracking/rankings/tracking-periods.ts';
import { isVisible, readKeywordScores } from './keyword-scores.ts';
import type { Provenance } from './evidence.ts';
import { toItem } from './list-scores.ts';

/** Keyword lists show scores and sort by them. */
export const keywordScoreReader: KeywordScoreReader = {
  readScores: readKeywordScores,

  async readProvenance(tx, keywords) {
    const marketIds = [...new Set(keywords.map((keyword) => keyword.marketId))];
    const rows = await listNewestScores(tx, marketIds);
    const newest = new Map(rows.map((row) => [row.marketId, row]));
    return new Map(
      keywords.flatMap(({ id, marketId, trackingPeriods }) => {
        const score = newest.get(marketId);
        return score && isVisible(trackingPeriods, score)
          ? [[id, toNewest(score, trackingPeriods)] as const]
          : [];
      }),
    );
  },
};

/** The newest score keeps its provenance. */
const toNewest = (score: NewestScore, trackingPeriods: unknown) => ({
  ...toItem(score, parseTrackingPeriods(trackingPeriods)),
  provenance: score.provenance as Provenance,
});
