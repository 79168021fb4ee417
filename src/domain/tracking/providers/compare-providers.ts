import type { z } from 'zod';
import type { providers } from '#contract/providers.ts';
import { listListingIds } from '#db/queries/listings/listings.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import {
  profileOf,
  searchRequests,
  servesDevice,
  type SearchResponse,
} from '#domain/base/ports.ts';
import { utcDayOf } from '#lib/dates.ts';
import { cleanCard } from '../listings/clean-listing.ts';
import { loadRatingsOn } from '../listings/storefront-ratings.ts';
import { getMarketOf, type KeywordMarket } from '../rankings/keyword-market.ts';
import { comparedPositions, measureDistance } from '../rankings/order-distance.ts';
import { examinedDepth, positionIn } from '../rankings/position.ts';
import { presentSerpListing, readListings } from '../serps/stored-serp.ts';
import { createRequestDeadline } from '../store-lookups/request-deadline.ts';

type Operation = (typeof providers)['GET /keywords/{keywordId}/providers'];
type ProviderComparison = z.input<Operation['responses'][200]>;
type Searched = ProviderComparison['searches'][number];

interface Outcome {
  searched: Searched;
  response: SearchResponse | null;
}

/**
 * Searches a keyword's market now with each configured provider of its device; nothing is stored.
 * With `estimate` nothing is requested. A provider that fails is reported beside the others. Throws
 * not_found.
 */
export async function compareProviders(
  ctx: Ctx,
  keywordId: number,
  { estimate = false }: z.output<Operation['query']>,
  signal: AbortSignal,
): Promise<ProviderComparison> {
  const market = await inTenant(ctx, (tx) =>
    getMarketOf(tx, ctx, keywordId, utcDayOf(ctx.clock.now())),
  );
  const { store, device, depth } = market;
  const names = ctx.settings.searchProviders[store].filter((provider) =>
    servesDevice(store, provider, device),
  );
  const known = profileOf(store).search.providers;
  const records = names.map((provider) => ({
    provider,
    description: known.find(({ name }) => name === provider)?.description ?? provider,
    isOfPositions: provider === market.provider,
    requests: searchRequests(store, depth),
  }));
  const head = {
    keywordId,
    store,
    device,
    providers: records,
    requests: records.reduce((sum, { requests }) => sum + requests, 0),
  };
  if (estimate) return { ...head, searches: [], items: [], distance: null };
  const outcomes = await Promise.all(names.map((name) => search(ctx, market, name, signal)));
  const responded = outcomes.flatMap(({ response }) => (response === null ? [] : [response]));
  const [first, second] = responded.map(idsOf);
  return {
    ...head,
    searches: outcomes.map(({ searched }) => searched),
    items: await listItems(ctx, market, outcomes),
    distance: first && second ? measureDistance(first, second) : null,
  };
}

const idsOf = ({ items }: SearchResponse): string[] => items.map(({ storeAppId }) => storeAppId);

async function search(
  ctx: Ctx,
  { store, phrase, country, device, depth, storeAppId }: KeywordMarket,
  provider: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const deadline = createRequestDeadline(store, signal);
  try {
    const response = await ctx.stores[store].search(
      { provider, phrase, country, device, depth },
      { signal: deadline.signal, lane: 'interactive', workspaceId: ctx.workspaceId },
    );
    const searched = {
      provider,
      state: 'ok' as const,
      position: positionIn(response, storeAppId),
      depth: Math.max(1, examinedDepth(response)),
      end: response.end,
      resultCount: response.items.length,
      ads: response.ads,
      requests: response.cost.requests,
      checkedAt: ctx.clock.now().toISOString(),
    };
    return { searched, response };
  } catch (error) {
    const { failure, marker, cost } = deadline.toStoreError(error);
    const { requests } = cost;
    return {
      searched: { provider, state: 'failed', failure, marker, requests },
      response: null,
    };
  }
}

/** The apps of the first positions, nearest to the top first. */
async function listItems(
  ctx: Ctx,
  { store, country, appId }: KeywordMarket,
  outcomes: readonly Outcome[],
): Promise<ProviderComparison['items']> {
  const orders = outcomes.map(({ response }) => (response === null ? [] : idsOf(response)));
  const storeAppIds = [...new Set(orders.flatMap((ids) => ids.slice(0, comparedPositions)))];
  const positionsOf = (id: string) =>
    orders.map((ids) => {
      const index = ids.indexOf(id);
      return index < 0 ? null : index + 1;
    });
  const cards = new Map(
    outcomes.flatMap(({ response }) =>
      (response?.items ?? []).flatMap(({ card }) =>
        card === null ? [] : [[card.storeAppId, cleanCard(card)] as const],
      ),
    ),
  );
  const known = await inTenant(ctx, async (tx) => {
    const ids = await listListingIds(tx, store, storeAppIds);
    const listings = await readListings(tx, ctx, [...ids.values()], {
      appId,
      countries: [country],
    });
    const day = utcDayOf(ctx.clock.now());
    const ratingsOf = await loadRatingsOn(tx, [...ids.values()], { country, day });
    return new Map(
      [...ids].map(([storeAppId, id]) => [
        storeAppId,
        presentSerpListing(listings.get(id)!, ratingsOf(id)),
      ]),
    );
  });
  const items = storeAppIds.map((storeAppId) => {
    const [card, listing] = [cards.get(storeAppId), known.get(storeAppId)];
    return {
      storeAppId,
      name: null,
      developer: null,
      iconUrl: null,
      rating: null,
      ratingCount: null,
      appId: null,
      isOwn: false,
      isCompetitor: false,
      ...listing,
      ...(card && {
        name: card.name,
        developer: card.developer,
        iconUrl: card.iconUrl,
        rating: card.rating ?? listing?.rating ?? null,
        ratingCount: card.ratingCount ?? listing?.ratingCount ?? null,
      }),
      positions: positionsOf(storeAppId),
    };
  });
  const best = ({ positions }: { positions: (number | null)[] }) =>
    Math.min(...positions.flatMap((position) => position ?? []));
  return items.toSorted((one, other) => best(one) - best(other));
}
