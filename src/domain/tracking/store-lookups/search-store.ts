import type { z } from 'zod';
import type { liveSerp, storeApp } from '#contract/store.ts';
import { listTrackedIds } from '#db/queries/apps/apps.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { cleanCard } from '../listings/clean-listing.ts';
import type { AppCard, StoreName } from '#domain/base/ports.ts';

export type StoreAppRecord = z.input<typeof storeApp>;
export type LiveSerpRecord = z.input<typeof liveSerp>;

interface Question {
  store: StoreName;
  term: string;
  country: string;
}

/**
 * Searches a store now; nothing is stored. At most `limit` apps, in the store's order. Throws
 * StoreError.
 */
export async function searchStore(
  ctx: Ctx,
  question: Question & { limit: number },
  signal: AbortSignal,
): Promise<StoreAppRecord[]> {
  const { cards } = await searchNow(ctx, question, question.limit, signal);
  return showCards(ctx, question.store, cards.slice(0, question.limit));
}

/** The current results with the examined depth. Nothing is stored. Throws StoreError. */
export async function searchLive(
  ctx: Ctx,
  question: Question & { depth: number },
  signal: AbortSignal,
): Promise<LiveSerpRecord> {
  const { cards, response } = await searchNow(ctx, question, question.depth, signal);
  const items = await showCards(ctx, question.store, cards);
  return {
    store: question.store,
    phrase: question.term,
    country: question.country,
    depth: Math.max(
      1,
      response.end === 'exhausted' ? response.depthRequested : response.depthReached,
    ),
    end: response.end,
    items: items.map((item, index) => ({ position: index + 1, ...item })),
    cost: { requests: response.cost.requests },
  };
}

async function searchNow(
  ctx: Ctx,
  { store, term, country }: Question,
  depth: number,
  signal: AbortSignal,
) {
  assertStorable('term', term);
  const response = await ctx.stores[store].search(
    { phrase: term, country, depth },
    { signal, lane: 'interactive' },
  );
  return { response: response, cards: response.items.map(cleanCard) };
}

async function showCards(ctx: Ctx, store: StoreName, cards: AppCard[]): Promise<StoreAppRecord[]> {
  const ids = cards.map((card) => card.storeAppId);
  const tracked = await inTenant(ctx, (tx) => listTrackedIds(tx, ctx.workspaceId, store, ids));
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
