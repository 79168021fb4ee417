import { Command, InvalidArgumentError } from 'commander';
import { readInstanceConfig } from '#config/env-file.ts';
import { runCommand, stopped } from './exit.ts';

export function scoresCommand(): Command {
  const scores = new Command('scores').description('evaluate the scores');
  scores
    .command('evaluate')
    .argument(
      '<file>',
      'CSV with phrase, country, popularity, and maybe store and genre; or Apple’s monthly file ' +
        'of search terms (.xlsx or CSV)',
    )
    .option('--json', 'print the evaluation as JSON', false)
    .option('--seed <number>', 'the seed of the intervals', parseSeed, 1)
    .description(
      'compare the popularity of phrases with the traffic that the stored evidence of this ' +
        'instance gives, while the product runs or is stopped; writes nothing and queries no store',
    )
    .action((path: string, { json, seed }: { json: boolean; seed: number }) =>
      runCommand(stopped.working, async (shutdownStack) => {
        const { evaluateScores, formatEvaluation } = await import('#boot/evaluate-scores.ts');
        const evaluation = await evaluateScores(readInstanceConfig(), shutdownStack, {
          path,
          seed,
        });
        console.log(json ? JSON.stringify(evaluation, null, 2) : formatEvaluation(evaluation));
      }),
    );
  return scores;
}

function parseSeed(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number from 0.');
  return Number(text);
}
