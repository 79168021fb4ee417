import type { z } from 'zod';
import type { storeApp } from '../../contract/store.ts';
import { listTrackedIds } from '../../db/queries/apps.ts';
import { inTenant, type Ctx } from '../context.ts';
import { requireStorable } from '../apps/read-own-words.ts';
import { cleanCard } from '../listings/clean-listing.ts';
import type { StoreName } from '../ports.ts';

export type StoreAppRecord = z.input<typeof storeApp>;

/** Searches a store now; nothing is kept. At most `limit` apps, in the store's order. Throws StoreError. */
export async function searchStore(
  ctx: Ctx,
  question: { store: StoreName; term: string; country: string; limit: number },
  signal: AbortSignal,
): Promise<StoreAppRecord[]> {
  requireStorable('term', question.term);
  const { store, country } = question;
  const answer = await ctx.stores[store].search({ phrase: question.term, country, depth: question.limit }, { signal, lane: 'interactive' });
  const cards = answer.items.slice(0, question.limit).map(cleanCard);
  const tracked = await inTenant(ctx, (tx) =>
    listTrackedIds(
      tx,
      ctx.workspaceId,
      store,
      cards.map((card) => card.storeAppId),
    ),
  );
  return cards.map((card) => ({
    store,
    storeAppId: card.storeAppId,
    name: card.name,
    developer: card.developer,
    iconUrl: card.iconUrl,
    rating: card.rating,
    ratingCount: card.ratingCount,
    tracked: tracked.get(card.storeAppId) ?? null,
  }));
}
