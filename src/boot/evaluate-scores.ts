import type { Config } from '#config/env.ts';
import { evaluateLabels } from '#domain/insights/scores/evaluation/evaluate-labels.ts';
import type { Evaluation } from '#domain/insights/scores/evaluation/evaluate-estimates.ts';
import type { LabelFile } from '#domain/insights/scores/evaluation/format-evaluation.ts';
import { systemClock } from '#lib/clock.ts';
import { utcDayOf } from '#lib/dates.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { openLabels } from './score-labels.ts';
import { withSystemDatabase } from './system-database.ts';

export { formatEvaluation } from '#domain/insights/scores/evaluation/format-evaluation.ts';

/**
 * Compares a CSV file of labels, or the monthly file of a store, with estimates from the stored
 * evidence of this instance. Reads only. Throws CommandError for a file that cannot be read.
 */
export async function evaluateScores(
  config: Config,
  shutdownStack: ShutdownStack,
  { path, seed }: { path: string; seed: number },
): Promise<Evaluation & { file: LabelFile }> {
  const asOf = utcDayOf(systemClock.now());
  const readLabels = await openLabels(path, asOf, shutdownStack);
  return withSystemDatabase(config, shutdownStack, async (systemDb) => {
    const { labels, file } = await readLabels(systemDb);
    return { file, ...(await evaluateLabels(systemDb, labels, { asOf, seed })) };
  });
}
