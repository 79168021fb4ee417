import { isDeepStrictEqual } from 'node:util';
import { stringifyExact } from '#lib/json.ts';
import type { BodyTree } from './body-tree.ts';
import { attempt, compareReadings, type Outcome } from './compare-readings.ts';
import type { Allowances, Reading } from './reading.ts';
import { listTargets, mutateBody, type Mutation } from './mutate-body.ts';
import type { Draw } from './mutation-kinds.ts';
import { findReadPaths } from './read-paths.ts';

export interface Subject {
  name: string;
  body: string;
  tree: BodyTree;
  parse: (body: string) => Reading;
  allowances: Allowances;
}

export interface Finding {
  /** The number of the mutation of this subject; with the seed it repeats the mutation. */
  number: number;
  subject: string;
  mutation: Mutation;
  outcome: Outcome;
  differences: string[];
}

export interface Run {
  counts: Record<Outcome, number>;
  /** The mutations with the outcome `wrong` or `crashed`. */
  findings: Finding[];
  /** The kind of each mutation. */
  kinds: string[];
}

const noCounts = { same: 0, refused: 0, lost: 0, allowed: 0, wrong: 0, crashed: 0 };

/** Mutates a body `count` times and compares each reading with that of the body itself. */
export function runMutations(subject: Subject, seed: number, count: number): Run {
  const { name, body, tree, parse, allowances } = subject;
  const base = attempt(() => parse(body));
  const written = attempt(() => parse(tree.write(tree.root)));
  if (base instanceof Error || !isDeepStrictEqual(base, written))
    throw new Error(`${name} is not read as before when it is written again`, { cause: written });
  const targets = listTargets(
    tree,
    findReadPaths(tree.texts, () => parse(body)),
  );
  const run: Run = { counts: { ...noCounts }, findings: [], kinds: [] };
  for (let number = 0; number < count; number++) {
    const mutation = mutateBody(body, tree, targets, createDraw(seed, `${name} ${number}`));
    const after = attempt(() => parse(mutation.body));
    const { outcome, differences } = compareReadings(base, after, mutation, allowances);
    run.counts[outcome]++;
    run.kinds.push(mutation.kind);
    if (outcome === 'wrong' || outcome === 'crashed')
      run.findings.push({ number, subject: name, mutation, outcome, differences });
  }
  return run;
}

/** Says where a mutation is, and the values before and after it, with both readings' difference. */
export function describeFinding({ number, subject, mutation, differences }: Finding): string {
  const { kind, path, before, after } = mutation;
  const lines = differences.map((difference) => `    ${difference}`);
  const change = `${show(before)} became ${show(after)}`;
  return [`${subject} #${number}: ${kind} ${path.join('.')}: ${change}`, ...lines].join('\n');
}

const show = (value: unknown) => (stringifyExact(value) ?? 'nothing').slice(0, 100);

/** The same numbers for the same seed and text, on every machine. */
function createDraw(seed: number, text: string): Draw {
  let state = seed;
  for (const character of text) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  };
}
