import { takeFactIds } from '#db/queries/imports/imported-facts.ts';
import { factNouns } from '#domain/tracking/imported-facts/fact-kinds.ts';
import { chunk } from '../exports/export-source.ts';
import type { ImportRun } from './import-run.ts';

const idsPerRead = 10_000;

/** New ids of reviews, changes and snapshots, in the order of the file's ids. */
export async function reserveFactIds({ tx, survey, ids }: ImportRun): Promise<void> {
  for (const noun of factNouns) {
    const named = [...survey.factIds[noun]].sort((a, b) => a - b);
    for (const part of chunk(named, idsPerRead))
      ids.add(
        noun,
        part.map((id) => ({ id })),
        await takeFactIds(tx, part.length),
      );
  }
}
