import { insertUnknownListings } from '../../db/queries/imported-following.ts';
import { insertUnknownMarkets } from '../../db/queries/markets.ts';
import { inTenant, type Ctx } from '../context.ts';
import { chunk } from '../exports/export-source.ts';
import { listNames, type Survey } from './survey.ts';

const namesAtOnce = 1_000;

/**
 * Makes the listings and markets that a file names and that nobody has heard of, each batch in a transaction of its own: who
 * adds the same name meanwhile waits for milliseconds, not for the import. They are public names, and are asked for
 * nothing before somebody follows them.
 */
export async function prepareNames(ctx: Ctx, survey: Survey): Promise<void> {
  for (const { store, storeAppIds, markets } of listNames(survey)) {
    for (const part of chunk(storeAppIds.toSorted(), namesAtOnce))
      await inTenant(ctx, (tx) => insertUnknownListings(tx, store, part));
    for (const part of chunk(markets, namesAtOnce))
      await inTenant(ctx, (tx) => insertUnknownMarkets(tx, store, part));
  }
}
