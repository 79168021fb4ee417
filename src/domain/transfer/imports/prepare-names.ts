import { insertUnknownListings } from '#db/queries/imports/imported-tracking.ts';
import { insertUnknownMarkets } from '#db/queries/rankings/markets.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { chunk } from '../exports/export-source.ts';
import { listNames, type Survey } from './scan-import-file.ts';

const nameBatchSize = 1_000;

/**
 * Creates unknown listings and markets of a file, each batch in its own transaction, so that a
 * concurrent insert waits for milliseconds and not for the import. They are public names and cause
 * no requests until they are tracked.
 */
export async function prepareNames(ctx: Ctx, survey: Survey): Promise<void> {
  for (const { store, storeAppIds, markets } of listNames(survey)) {
    for (const part of chunk(storeAppIds.toSorted(), nameBatchSize))
      await inTenant(ctx, (tx) => insertUnknownListings(tx, store, part));
    for (const part of chunk(markets, nameBatchSize))
      await inTenant(ctx, (tx) => insertUnknownMarkets(tx, store, part));
  }
}
