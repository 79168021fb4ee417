import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { StoreError } from '#domain/base/ports.ts';
import { allowances } from './allowed-changes.ts';
import { readJsonTree } from './body-tree.ts';
import { listRecordings, readTree, renderBodies, type MutableBody } from './mutation-bodies.ts';
import { changes } from './mutation-kinds.ts';
import { readings } from './mutation-readings.ts';
import { itunesBody, itunesResult } from './pages.ts';
import type { Reading } from './reading.ts';
import { describeFinding, runMutations, type Run } from './run-mutations.ts';

/** TEST_SEED repeats the mutations of a run. */
const seed = Number(process.env.TEST_SEED ?? randomInt(1_000_000));
const mutationsInAll = process.env.TORTURE ? 20_000 : 600;
const mostShown = 10;

const runBody = (body: MutableBody, count: number): Run =>
  runMutations(
    {
      name: `${body.parser} of ${body.name}`,
      body: body.body,
      tree: readTree(body),
      parse: (changed) => readings[body.parser](changed, body.query),
      allowances: allowances[body.parser],
    },
    seed,
    count,
  );

describe('no mutation of a body yields a wrong value without a word', () => {
  let bodies: MutableBody[];
  const runs: Run[] = [];
  beforeAll(async () => {
    bodies = [...listRecordings(), ...(await renderBodies())];
    const each = Math.ceil(mutationsInAll / bodies.length);
    for (const body of bodies) runs.push(runBody(body, each));
    console.log(`mutations of store bodies, TEST_SEED=${seed}: ${JSON.stringify(sumOf(runs))}`);
  });

  test('in recordings and in all bodies of the simulator', () => {
    const findings = runs.flatMap((run) => run.findings);
    const shown = findings.slice(0, mostShown).map(describeFinding);
    expect(shown, `TEST_SEED=${seed}: ${findings.length} findings`).toEqual([]);
  });

  test('and the mutations are of every kind, and seen by every parser', () => {
    const kinds = new Set(runs.flatMap((run) => run.kinds));
    expect([...kinds].toSorted()).toEqual([...Object.keys(changes), 'truncated'].toSorted());
    const parsers = new Set(bodies.map(({ parser }) => parser));
    expect([...parsers].toSorted()).toEqual(Object.keys(readings).toSorted());
    const { refused, lost, same } = sumOf(runs);
    expect(Math.min(refused, lost, same)).toBeGreaterThan(mutationsInAll / 20);
  });

  test('and a seed repeats them', () => {
    const [body] = bodies.slice(-1);
    expect(runBody(body!, 20)).toEqual(runBody(body!, 20));
  });
});

describe('a bad parser is found that', () => {
  const body = itunesBody([itunesResult(1), itunesResult(2), itunesResult(3)]);
  const read = (parse: (results: Record<string, unknown>[]) => Reading) => {
    const tree = readJsonTree(body);
    const parseBody = (text: string) => {
      try {
        return parse((JSON.parse(text) as { results: Record<string, unknown>[] }).results);
      } catch (error) {
        if (error instanceof SyntaxError) throw notJson(error.message);
        throw error;
      }
    };
    const run = runMutations(
      { name: 'a bad parser', body, tree, parse: parseBody, allowances: {} },
      seed,
      3_000,
    );
    return run.findings.map(({ outcome, mutation }) => `${outcome} ${mutation.path.join('.')}`);
  };
  const head = { key: 'head', values: {}, unread: [] };
  const namedBy = (nameOf: (result: Record<string, unknown>) => unknown) => {
    return (results: Record<string, unknown>[]) => ({
      head,
      items: results.map((result) => ({
        key: String(result['trackId']),
        values: { name: nameOf(result) },
        unread: [],
      })),
    });
  };

  test('reads null for a title of another type', () => {
    const found = read(
      namedBy(({ trackName }) => (typeof trackName === 'string' ? trackName : null)),
    );
    expect(found.some((finding) => /^wrong results\.\d\.trackName$/.test(finding))).toBe(true);
  });

  test('skips results that it does not understand, and believes an empty list', () => {
    const all = namedBy(({ trackName }) => trackName);
    const found = read((results) =>
      all([results].flat().filter((result) => typeof result?.['trackId'] === 'number')),
    );
    expect(found.some((finding) => /^wrong results(?:\.\d\.trackId)?$/.test(finding))).toBe(true);
  });

  test('throws another error than a StoreError', () => {
    const found = read(namedBy(({ trackName }) => (trackName as string).trim()));
    expect(found.some((finding) => /^crashed results\.\d\.trackName$/.test(finding))).toBe(true);
  });
});

function notJson(message: string): StoreError {
  return new StoreError({ store: 'ios', failure: 'unreadable', marker: 'json', message });
}

function sumOf(runs: readonly Run[]): Run['counts'] {
  const sum = { same: 0, refused: 0, lost: 0, allowed: 0, wrong: 0, crashed: 0 };
  for (const { counts } of runs)
    for (const outcome of Object.keys(sum) as (keyof typeof sum)[]) sum[outcome] += counts[outcome];
  return sum;
}
