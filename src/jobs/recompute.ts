import type { HouseJob } from '../domain/jobs/house-work.ts';
import { recomputeScores } from '../domain/scores/recompute-scores.ts';

/** Scores of a workspace's keywords, again, from stored evidence. */
export const recompute: HouseJob = { kind: 'recompute', run: recomputeScores };
