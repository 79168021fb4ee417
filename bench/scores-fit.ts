/**
 * Fits the weights of traffic on labelled rows and proposes them; it changes nothing.
 *
 *   node bench/scores-fit.ts                     on the simulator's world
 *   node bench/scores-fit.ts labels.csv          on labels, with this instance’s stored evidence
 *   node bench/scores-fit.ts month.xlsx          on a store's monthly file, likewise
 *   node bench/scores-fit.ts … --out file.json   where the proposal is written
 *   node bench/scores-fit.ts … --keep charts,serp  signals whose weights stay
 *
 * A third of the phrases is held out. A proposal that does worse there, or that lets one app that
 * moves by one position change a score by more than six, is written as rejected.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readInstanceConfig } from '#config/env-file.ts';
import { openLabels } from '#boot/score-labels.ts';
import { withSystemDatabase } from '#boot/system-database.ts';
import { storeNames } from '#domain/base/ports.ts';
import { readLabelledEvidence } from '#domain/insights/scores/evaluation/evaluate-labels.ts';
import type { MarketEvidence } from '#domain/insights/scores/evidence.ts';
import { trafficSignals } from '#domain/insights/scores/formulas.ts';
import { CommandError } from '#lib/command-error.ts';
import { systemClock } from '#lib/clock.ts';
import { utcDayOf } from '#lib/dates.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { readScoreWorld } from '#tests/harness/score-world.ts';
import { leastRows, proposeWeights, type FitRow, type Proposal } from './score-weights.ts';

const seed = 1;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'scores-proposal.json' },
    keep: { type: 'string', default: '' },
  },
});
const kept = trafficSignals.filter((name) => values.keep.split(',').includes(name));
const rows = await readRows(positionals[0]).catch((error: unknown) => {
  if (!(error instanceof CommandError)) throw error;
  console.error(error.message);
  process.exit(1);
});
const proposals = storeNames.flatMap((store) => {
  const own = rows.filter(({ evidence }) => evidence.store === store);
  if (own.length < leastRows) {
    console.log(`${store}: ${own.length} rows with evidence, of ${leastRows} that a fit needs`);
    return [];
  }
  return [proposeWeights(store, own, { seed, kept })];
});
const fittedOn = positionals[0] ?? 'the simulator’s world, seeds 1 and 2';
await writeFile(values.out, `${JSON.stringify({ fittedOn, seed, kept, proposals }, null, 2)}\n`);
for (const proposal of proposals) console.log(describe(proposal));
console.log(`Fitted on ${fittedOn}. The proposal is in ${values.out}.`);

async function readRows(path: string | undefined): Promise<FitRow[]> {
  if (path === undefined) {
    const worlds = await Promise.all(
      storeNames.flatMap((store) => [
        readScoreWorld(store, { seed: 1, country: 'us' }),
        readScoreWorld(store, { seed: 2, country: 'de' }),
      ]),
    );
    return worlds.flat().flatMap(({ evidence, popularity }) => toRow(evidence, popularity));
  }
  const stack = new ShutdownStack();
  const asOf = utcDayOf(systemClock.now());
  const readLabels = await openLabels(path, asOf, stack);
  return withSystemDatabase(readInstanceConfig(), stack, async (systemDb) => {
    const { labels } = await readLabels(systemDb);
    const found: FitRow[] = [];
    for await (const { label, evidence } of readLabelledEvidence(systemDb, labels, asOf))
      found.push(...toRow(evidence, label.popularity));
    return found;
  });
}

function toRow(evidence: MarketEvidence | undefined, popularity: number | null): FitRow[] {
  return evidence === undefined || popularity === null ? [] : [{ evidence, popularity }];
}

/** The proposal beside the shipped weights. */
function describe({ store, formula, rows: count, weights, heldOut, ...proposal }: Proposal) {
  const outcome = proposal.isAccepted ? 'accepted' : `rejected: ${proposal.rejections.join('; ')}`;
  const cells = ({ signal, shipped, proposed }: Proposal['weights'][number]) =>
    `  ${signal.padEnd(14)} ${shipped.toFixed(3)}    ${proposed.toFixed(3)}`;
  return [
    `${store}, ${formula}, ${count} rows`,
    '  signal         shipped  proposed',
    ...weights.map(cells),
    `  Spearman of ${heldOut.rows} held-out rows: ${heldOut.shipped.toFixed(3)} shipped, ` +
      `${heldOut.proposed.toFixed(3)} proposed`,
    `  one move changes a score by ${proposal.largestMove} at most`,
    `  ${outcome}`,
  ].join('\n');
}
