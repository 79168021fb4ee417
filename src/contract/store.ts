import { z } from 'zod';
import {
  bigInteger,
  country,
  cursor,
  device,
  id,
  integerText,
  listOf,
  requestedDevice,
  storeName,
  wholePaging,
} from './common.ts';
import { operationsOf } from './operation.ts';
import { provider } from './rankings.ts';

export const storeApp = z
  .strictObject({
    store: storeName,
    storeAppId: z.string(),
    name: z.string(),
    developer: z.string().nullable(),
    iconUrl: z.string().nullable(),
    rating: z.number().nullable(),
    ratingCount: z.int().nullable(),
    tracked: id
      .nullable()
      .meta({ description: 'The id of the app in this workspace, when it is tracked.' }),
  })
  .meta({ id: 'StoreApp' });

export const storeListing = z
  .strictObject({
    ...storeApp.shape,
    storeUrl: z.string(),
    country,
    bundleId: z.string().nullable(),
    subtitle: z.string().nullable(),
    summary: z.string().nullable(),
    description: z.string().nullable(),
    category: z.string().nullable(),
    price: z.number().nullable(),
    currency: z.string().nullable(),
    version: z.string().nullable(),
    installs: bigInteger.nullable(),
    /** Phrases from the listing, best first, as a first choice of keywords. */
    phrases: z.array(
      z.strictObject({
        phrase: z.string(),
        source: z.enum(['title', 'subtitle', 'summary', 'category', 'description']),
      }),
    ),
  })
  .meta({ id: 'StoreListing' });

export const liveSerp = z
  .strictObject({
    store: storeName,
    phrase: z.string(),
    country,
    device,
    provider,
    depth: z.int().min(1).max(200).meta({ description: 'The examined depth.' }),
    end: z.enum(['depth', 'exhausted', 'truncated']),
    items: z.array(z.strictObject({ position: z.int().min(1).max(200), ...storeApp.shape })),
    cost: z.strictObject({ requests: z.int() }),
  })
  .meta({ id: 'LiveSerp' });

const reference = { rateClass: 'read', readOnlyToken: true } as const;

export const store = operationsOf({
  'GET /store/serp': {
    summary: 'Search a store live',
    description:
      'Searches the store now and returns the results at the requested depth. Nothing is ' +
      'stored.',
    rateClass: 'store',
    readOnlyToken: true,
    query: z.strictObject({
      store: storeName,
      phrase: z.string().trim().min(1).max(100),
      country,
      device: requestedDevice.optional(),
      depth: integerText(1, 200).default(50),
    }),
    responses: { 200: liveSerp },
  },
  'GET /store/categories': {
    summary: 'List a store’s categories',
    description: 'Lists the categories of a store, for pickers.',
    ...reference,
    query: z.strictObject({ ...wholePaging, store: storeName }),
    pages: 'cut',
    responses: {
      200: listOf(
        z
          .strictObject({ id: z.string(), name: z.string(), parentId: z.string().nullable() })
          .meta({ id: 'StoreCategory' }),
      ),
    },
  },
  'GET /store/countries': {
    summary: 'List a store’s countries',
    description:
      'Lists the countries that a store is known to serve, for pickers. Other operations ' +
      'accept any two letters.',
    ...reference,
    query: z.strictObject({ ...wholePaging, store: storeName }),
    pages: 'cut',
    responses: {
      200: listOf(
        z
          .strictObject({ country, name: z.string(), language: z.string() })
          .meta({ id: 'StoreCountry' }),
      ),
    },
  },
  'GET /store/apps/search': {
    summary: 'Search for apps in a store',
    description: 'Searches the store for apps now, by name. Nothing is stored.',
    rateClass: 'store',
    readOnlyToken: true,
    query: z.strictObject({
      store: storeName,
      q: z.string().trim().min(1).max(100),
      country,
      device: requestedDevice.optional(),
      limit: integerText(1, 50).default(20),
      cursor: cursor.optional(),
    }),
    pages: 'one',
    responses: { 200: listOf(storeApp) },
  },
  'GET /store/apps/lookup': {
    summary: 'Look up an app in a store',
    description: 'Reads one app from the store now, by its address or its id. Nothing is stored.',
    rateClass: 'store',
    readOnlyToken: true,
    query: z.strictObject({
      store: storeName.optional(),
      id: z.string().trim().min(1).max(200).optional(),
      url: z.string().min(1).max(2_000).optional(),
      country: country.optional(),
    }),
    responses: { 200: storeListing },
  },
});
