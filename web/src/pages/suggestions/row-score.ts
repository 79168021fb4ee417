import type { PhraseScore } from '#web/queries/scores.ts';
import type { Suggestion } from '#web/queries/suggestions.ts';

type Range = { low: number; high: number } | null;

/** The known facts about a suggestion, from whichever request. */
export interface RowScore {
  traffic: number | null;
  difficulty: number | null;
  opportunity: number | null;
  position: number | null;
  depth: number;
  /** Set where the confidence is low. */
  trafficRange: Range;
  difficultyRange: Range;
}

/** As old as scores of tracked keywords become. */
const freshMs = 7 * 86_400_000;

/** The scores requested in this tab, otherwise those that are kept; null without any. */
export function rowScoreOf(
  { score, alreadyTracked, estTraffic }: Suggestion,
  requested: PhraseScore | undefined,
): RowScore | null {
  // A tracked phrase shows the scores of its keyword.
  if (requested && !(alreadyTracked && estTraffic !== null)) return ofRequest(requested);
  if (!score || score.depth === null) return null;
  const unsure = (kind: 'traffic' | 'difficulty') =>
    score.confidences?.[kind] === 'low' ? score.ranges[kind] : null;
  return {
    ...score,
    depth: score.depth,
    trafficRange: unsure('traffic'),
    difficultyRange: unsure('difficulty'),
  };
}

export function ofRequest(score: PhraseScore): RowScore {
  const { confidences, ranges } = score.provenance;
  const unsure = (kind: 'traffic' | 'difficulty') =>
    confidences[kind] === 'low' ? (ranges?.[kind] ?? null) : null;
  return { ...score, trafficRange: unsure('traffic'), difficultyRange: unsure('difficulty') };
}

/** Whether a job has still to score it. */
export const isWaiting = ({ score }: Suggestion): boolean => score?.state === 'waiting';

/** Nobody asked for its score in the last seven days. An attempt that failed counts. */
export function isUnscored({ score, alreadyTracked }: Suggestion): boolean {
  if (alreadyTracked) return false;
  if (score === null || score.state === 'not_scored') return true;
  return (
    score.state === 'scored' &&
    score.scoredAt !== null &&
    Date.now() - Date.parse(score.scoredAt) > freshMs
  );
}
