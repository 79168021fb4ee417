/**
 * Fits the weights of traffic on labelled rows and proposes them; it changes nothing.
 *
 *   node bench/scores-fit.ts                     on the simulator's world
 *   node bench/scores-fit.ts labels.csv          on labels, with this instance’s stored evidence
 *   node bench/scores-fit.ts … --out file.json   where the proposal is written
 *
 * A third of the phrases is held out. A proposal that does worse there, or that lets one app that
 * moves by one position change a score by more than six, is written as rejected.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readInstanceConfig } from '#config/env-file.ts';
import { withSystemDatabase } from '#boot/system-database.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { storeNames } from '#domain/base/ports.ts';
import { readLabels } from '#domain/insights/scores/evaluation/read-labels.ts';
import { readLabelledEvidence } from '#domain/insights/scores/evaluation/evaluate-labels.ts';
import { correlate } from '#domain/insights/scores/evaluation/statistics.ts';
import type { MarketEvidence } from '#domain/insights/scores/evidence.ts';
import { trafficFormulas, trafficSignals } from '#domain/insights/scores/formulas.ts';
import { readTrafficSignals, weighTraffic } from '#domain/insights/scores/traffic.ts';
import { systemClock } from '#lib/clock.ts';
import { utcDayOf } from '#lib/dates.ts';
import { createSeededRandom } from '#lib/seeded-random.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { readScoreWorld } from '#tests/harness/score-world.ts';

type Weights = (typeof trafficFormulas)[StoreName]['weights'];
type Row = { evidence: MarketEvidence; popularity: number };

const seed = 1;
const heldOutShare = 1 / 3;
const maxMove = 6;
/** No weight moves further from the shipped one than this, so that a small file changes little. */
const maxStep = 0.15;
const steps = [0.05, 0.02, 0.01];
const movesTested = 400;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: 'scores-proposal.json' } },
});
const rows = await readRows(positionals[0]);
const proposals = storeNames.flatMap((store) => {
  const own = rows.filter(({ evidence }) => evidence.store === store);
  return own.length < 30 ? [] : [propose(store, own)];
});
const fittedOn = positionals[0] ?? 'the simulator’s world, seeds 1 and 2';
await writeFile(values.out, `${JSON.stringify({ fittedOn, seed, proposals }, null, 2)}\n`);
for (const { store, isAccepted, heldOut, rejections } of proposals)
  console.log(
    `${store}: held out ${heldOut.shipped.toFixed(3)} with the shipped weights, ` +
      `${heldOut.proposed.toFixed(3)} with the proposed ones; ` +
      (isAccepted ? 'accepted' : `rejected: ${rejections.join('; ')}`),
  );
console.log(`Fitted on ${fittedOn}. The proposal is in ${values.out}.`);

async function readRows(path: string | undefined): Promise<Row[]> {
  if (path === undefined) {
    const worlds = await Promise.all(
      storeNames.flatMap((store) => [
        readScoreWorld(store, { seed: 1, country: 'us' }),
        readScoreWorld(store, { seed: 2, country: 'de' }),
      ]),
    );
    return worlds.flat().flatMap(({ evidence, popularity }) => toRow(evidence, popularity));
  }
  const { readFile } = await import('node:fs/promises');
  const labels = readLabels(await readFile(path, 'utf8'));
  const stack = new ShutdownStack();
  const asOf = utcDayOf(systemClock.now());
  return withSystemDatabase(readInstanceConfig(), stack, async (systemDb) => {
    const found: Row[] = [];
    for await (const { label, evidence } of readLabelledEvidence(systemDb, labels, asOf))
      found.push(...toRow(evidence, label.popularity));
    return found;
  });
}

function toRow(evidence: MarketEvidence | undefined, popularity: number | null): Row[] {
  return evidence === undefined || popularity === null ? [] : [{ evidence, popularity }];
}

function propose(store: StoreName, own: readonly Row[]) {
  const random = createSeededRandom(seed);
  const marked = own.map((row) => ({
    signals: readTrafficSignals(row.evidence),
    popularity: row.popularity,
    isHeldOut: random() < heldOutShare,
  }));
  const measure = (weights: Weights, isHeldOut: boolean) =>
    correlate(
      marked
        .filter((row) => row.isHeldOut === isHeldOut)
        .map(({ signals, popularity }) => ({
          a: weighTraffic({ ...trafficFormulas[store], weights }, signals).value ?? 0,
          b: popularity,
        })),
    ) ?? 0;
  const shipped = trafficFormulas[store].weights;
  const weights = climb(shipped, (some) => measure(some, false));
  const heldOut = { shipped: measure(shipped, true), proposed: measure(weights, true) };
  const largestMove = findLargestMove(store, weights, own);
  const rejections = [
    ...(heldOut.proposed > heldOut.shipped ? [] : ['it is not better on the held-out rows']),
    ...(largestMove <= maxMove ? [] : [`one move changes a score by ${largestMove}`]),
  ];
  return {
    store,
    formula: trafficFormulas[store].id,
    rows: own.length,
    shipped,
    weights,
    train: { shipped: measure(shipped, false), proposed: measure(weights, false) },
    heldOut,
    largestMove,
    isAccepted: rejections.length === 0,
    rejections,
  };
}

/** Moves weight from one signal to another as long as the measure rises. */
function climb(shipped: Weights, measure: (weights: Weights) => number): Weights {
  let best = shipped;
  let value = measure(best);
  for (const step of steps) {
    for (let improved = true; improved;) {
      improved = false;
      for (const candidate of listNeighbours(best, shipped, step)) {
        const found = measure(candidate);
        if (found <= value + 1e-4) continue;
        [best, value, improved] = [candidate, found, true];
      }
    }
  }
  return best;
}

/** A signal without weight stays without it: the store's profile says why. */
function listNeighbours(weights: Weights, shipped: Weights, step: number): Weights[] {
  const used = trafficSignals.filter((name) => shipped[name] > 0);
  return used.flatMap((from) =>
    used.flatMap((to) => {
      const moved = {
        ...weights,
        [from]: roundWeight(weights[from] - step),
        [to]: roundWeight(weights[to] + step),
      };
      const isAllowed = used.every(
        (name) => moved[name] >= 0.02 && Math.abs(moved[name] - shipped[name]) <= maxStep + 1e-9,
      );
      return from === to || !isAllowed ? [] : [moved];
    }),
  );
}

function roundWeight(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** The largest change of traffic when one app moves by one position, over a sample of rows. */
function findLargestMove(store: StoreName, weights: Weights, own: readonly Row[]): number {
  const formula = { ...trafficFormulas[store], weights };
  const score = (evidence: MarketEvidence) =>
    Math.round(100 * (weighTraffic(formula, readTrafficSignals(evidence)).value ?? 0));
  let largest = 0;
  for (const { evidence } of own.slice(0, movesTested)) {
    const { serp } = evidence;
    if (!serp) continue;
    const before = score(evidence);
    for (let at = 0; at + 1 < serp.top.length; at += 1) {
      const top = serp.top.with(at, serp.top[at + 1]!).with(at + 1, serp.top[at]!);
      largest = Math.max(
        largest,
        Math.abs(score({ ...evidence, serp: { ...serp, top } }) - before),
      );
    }
  }
  return largest;
}
