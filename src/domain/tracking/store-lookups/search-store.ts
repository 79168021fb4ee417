import type { z } from 'zod';
import type { liveSerp, storeApp } from '#contract/store.ts';
import { listTrackedIds } from '#db/queries/apps/apps.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readDevice } from '#domain/base/device.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { cleanCard } from '../listings/clean-listing.ts';
import { cardsOf } from '../listings/look-up-cards.ts';
import { examinedDepth } from '../rankings/position.ts';
import {
  addCosts,
  defaultDeviceOf,
  detailedProviderOf,
  type AppCard,
  type StoreName,
} from '#domain/base/ports.ts';

export type StoreAppRecord = z.input<typeof storeApp>;
export type LiveSerpRecord = z.input<typeof liveSerp>;

interface Question {
  store: StoreName;
  phrase: string;
  country: string;
  device?: string | undefined;
}

/**
 * Searches a store now for apps; nothing is stored. At most `limit` apps, in the order of the
 * provider whose results all have names. Throws StoreError.
 */
export async function searchStore(
  ctx: Ctx,
  question: Question & { limit: number },
  signal: AbortSignal,
): Promise<StoreAppRecord[]> {
  const { store, limit } = question;
  readDevice('query.device', question.device, store);
  const provider = detailedProviderOf(store);
  const { cards } = await searchNow(ctx, question, { provider, depth: limit }, signal);
  return showCards(ctx, store, cards.slice(0, limit));
}

/**
 * The current results of the provider of positions, with the examined depth. Nothing is stored.
 * Throws StoreError.
 */
export async function searchLive(
  ctx: Ctx,
  question: Question & { depth: number },
  signal: AbortSignal,
): Promise<LiveSerpRecord> {
  const { store, phrase, country, depth } = question;
  const device = readDevice('query.device', question.device, store);
  const provider = ctx.settings.searchProviders[store][0]!;
  const { cards, response, cost } = await searchNow(ctx, question, { provider, depth }, signal);
  const items = await showCards(ctx, store, cards);
  return {
    store,
    phrase,
    country,
    device,
    provider,
    depth: Math.max(1, examinedDepth(response)),
    end: response.end,
    items: items.map((item, index) => ({ position: index + 1, ...item })),
    cost: { requests: cost.requests },
  };
}

async function searchNow(
  ctx: Ctx,
  { store, phrase, country, device = defaultDeviceOf(store) }: Question,
  { provider, depth }: { provider: string; depth: number },
  signal: AbortSignal,
) {
  assertStorable('phrase', phrase);
  const options = { signal, lane: 'interactive', workspaceId: ctx.workspaceId } as const;
  const query = { provider, phrase, country, device, depth };
  const response = await ctx.stores[store].search(query, options);
  const named = await cardsOf(ctx, { store, country, device }, response.items, options);
  const cards = response.items.map(({ storeAppId }, index) =>
    cleanCard(named.cards[index] ?? bareCard(storeAppId)),
  );
  return { response, cards, cost: addCosts(response.cost, named.cost) };
}

/** An app that the store ranks and does not describe. */
const bareCard = (storeAppId: string): AppCard => ({
  storeAppId,
  bundleId: null,
  name: storeAppId,
  developer: null,
  iconUrl: null,
  rating: null,
  ratingCount: null,
  unread: [],
});

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
