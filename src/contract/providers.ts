import { z } from 'zod';
import {
  device,
  flagText,
  id,
  idText,
  instant,
  listOf,
  storeName,
  utcDay,
  wholePaging,
} from './common.ts';
import { operationsOf } from './operation.ts';
import { orderDistance, sampledDistance } from './order-distance.ts';
import { depth, position, provider } from './rankings.ts';
import { adPositions, serpItem } from './serp.ts';

const { position: _position, ...listing } = serpItem.shape;

const providerRecord = z.strictObject({
  provider,
  description: z.string().meta({ description: 'What it is, in English.' }),
  isOfPositions: z.boolean().meta({ description: 'The keyword’s positions are those of it.' }),
  requests: z.int().min(1).meta({ description: 'The requests that a search takes at most.' }),
});

const searched = z.discriminatedUnion('state', [
  z.strictObject({
    provider,
    state: z.literal('ok'),
    position: position.meta({ description: 'Of the keyword’s app.' }),
    depth,
    end: z.enum(['depth', 'exhausted', 'truncated']),
    resultCount: z.int().min(0),
    ads: adPositions,
    requests: z.int().min(0),
    checkedAt: instant,
  }),
  z.strictObject({
    provider,
    state: z.literal('failed'),
    failure: z.enum(['refused', 'unreadable', 'unavailable', 'not_offered', 'bad_request']),
    marker: z.string(),
    requests: z.int().min(0),
  }),
]);

const comparison = z
  .strictObject({
    keywordId: id,
    store: storeName,
    device,
    providers: z.array(providerRecord).min(1),
    requests: z.int().min(1).meta({ description: 'The most requests that a comparison takes.' }),
    searches: z.array(searched).meta({
      description: 'In the order of `providers`; empty for an estimate.',
    }),
    items: z
      .array(
        z.strictObject({
          ...listing,
          positions: z
            .array(z.int().min(1).max(200).nullable())
            .meta({ description: 'One for each of `searches`; null for not found or failed.' }),
        }),
      )
      .meta({ description: 'The apps of the first 50 positions of any provider.' }),
    distance: orderDistance.nullable().meta({
      description: 'Between the first two providers that responded, in the first 50 positions.',
    }),
  })
  .meta({ id: 'ProviderComparison' });

const providersOfStore = z
  .strictObject({
    store: storeName,
    providers: z.array(
      z.strictObject({
        provider,
        description: z.string(),
        isConfigured: z.boolean().meta({ description: 'The daily run asks it.' }),
        isOfPositions: z.boolean().meta({ description: 'Today’s positions are those of it.' }),
      }),
    ),
    comparisons: z
      .array(
        z.strictObject({
          ...sampledDistance.shape,
          from: utcDay.meta({ description: 'The first day with a sampled market.' }),
          to: utcDay,
        }),
      )
      .meta({ description: 'Of the last 28 days; empty where nothing was sampled.' }),
  })
  .meta({ id: 'StoreProviders' });

export const providers = operationsOf({
  'GET /providers': {
    summary: 'List search providers',
    description:
      'Lists the sources of search results by store, and how far their orders are apart ' +
      'in a sample of this instance’s markets.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: { 200: listOf(providersOfStore) },
  },
  'GET /keywords/{keywordId}/providers': {
    summary: 'Compare a keyword’s search providers',
    description:
      'Searches now with each configured provider and shows their orders side by side. ' +
      'Nothing is stored. With `estimate=true` it returns the cost and requests nothing.',
    rateClass: 'store',
    readOnlyToken: true,
    params: z.strictObject({ keywordId: idText }),
    query: z.strictObject({ estimate: flagText.optional() }),
    responses: { 200: comparison },
  },
});
