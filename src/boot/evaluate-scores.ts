import { readFile } from 'node:fs/promises';
import type { Config } from '#config/env.ts';
import { evaluateLabels } from '#domain/insights/scores/evaluation/evaluate-labels.ts';
import type { Evaluation } from '#domain/insights/scores/evaluation/evaluate-estimates.ts';
import { readLabels } from '#domain/insights/scores/evaluation/read-labels.ts';
import { systemClock } from '#lib/clock.ts';
import { CommandError } from '#lib/command-error.ts';
import { utcDayOf } from '#lib/dates.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { withSystemDatabase } from './system-database.ts';

export { formatEvaluation } from '#domain/insights/scores/evaluation/format-evaluation.ts';

/**
 * Compares the labels of a CSV file with estimates from the stored evidence of this instance. Reads
 * only. Throws CommandError for a file that cannot be read.
 */
export async function evaluateScores(
  config: Config,
  shutdownStack: ShutdownStack,
  { path, seed }: { path: string; seed: number },
): Promise<Evaluation> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read (${error.code}). Give the path of a CSV file.`);
  });
  const labels = readLabels(text);
  return withSystemDatabase(config, shutdownStack, (systemDb) =>
    evaluateLabels(systemDb, labels, { asOf: utcDayOf(systemClock.now()), seed }),
  );
}
