import { takeFactIds, takePublicIds } from '#db/queries/imports/imported-facts.ts';
import { factNouns, type FactNoun } from '#domain/tracking/imported-facts/fact-kinds.ts';
import { chunk } from '../exports/export-source.ts';
import type { ImportRun } from './import-run.ts';

const idsPerRead = 10_000;
const tableOf = { review: 'reviews', change: 'changes', snapshot: 'snapshots' } as const;

/** New ids of reviews, changes and snapshots, in the order of the file's ids. */
export async function reserveFactIds(run: ImportRun): Promise<void> {
  const { survey, ids } = run;
  for (const noun of factNouns) {
    const named = [...survey.factIds[noun]].sort((a, b) => a - b);
    for (const part of chunk(named, idsPerRead))
      ids.add(
        noun,
        part.map((id) => ({ id })),
        await takeIds(run, noun, part.length),
      );
  }
}

function takeIds(
  { tx, asPublicFacts }: ImportRun,
  noun: FactNoun,
  count: number,
): Promise<number[]> {
  return asPublicFacts ? takePublicIds(tx, tableOf[noun], count) : takeFactIds(tx, count);
}
