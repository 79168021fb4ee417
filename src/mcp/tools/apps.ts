import { z } from 'zod';
import { ApiError, type Client } from '../../client/http.ts';
import { appId, country, cursor, limit, notice, page, storeName } from '../shapes.ts';
import { defineTool, ToolFault } from '../tool.ts';
import {
  cut,
  cutOrNull,
  lines,
  quote,
  storeTextNotice,
  tellCount,
  tellRating,
} from '../wording.ts';
import { getAppOverview } from './app-overview.ts';

const rated = { rating: z.number().nullable(), ratingCount: z.int().nullable() };

const listApps = defineTool({
  name: 'list_apps',
  title: 'List apps',
  description: 'The apps of this workspace with their ids. Begin here.',
  kind: 'read',
  input: z.strictObject({
    query: z.string().optional(),
    store: storeName.optional(),
    limit: limit.default(25),
    cursor: cursor.optional(),
  }),
  output: z.object({
    apps: z.array(
      z.object({
        appId,
        store: storeName,
        storeAppId: z.string(),
        name: z.string(),
        primaryCountry: z.string(),
        keywords: z.int(),
        ranked: z.int(),
        ...rated,
        installs: z.string().nullable().describe('Decimal.'),
      }),
    ),
    ...page,
    notice,
  }),
  async run(api, { query, ...rest }) {
    const list = await api('GET /apps', { query: { ...rest, q: query, include: 'summary' } });
    const apps = list.items.map((app) => ({
      appId: app.id,
      store: app.store,
      storeAppId: app.storeAppId,
      name: cut(app.displayName ?? app.name, 120),
      primaryCountry: app.primaryCountry,
      keywords: app.counts?.keywords ?? 0,
      ranked: app.counts?.ranked ?? 0,
      rating: app.rating,
      ratingCount: app.ratingCount,
      installs: app.installs === null ? null : String(app.installs),
    }));
    const rows = apps.map(
      (app) =>
        `${app.appId} · ${app.store} ${app.storeAppId} · ${quote(app.name)} · ${app.keywords} keywords, ${app.ranked} ranked · ${tellRating(app.rating, app.ratingCount)}`,
    );
    const text = lines(
      tellCount(apps.length, list, 'apps (id · store · name)', 'query or store'),
      rows,
      storeTextNotice,
    );
    return {
      text,
      data: { apps, total: list.total, nextCursor: list.nextCursor, notice: storeTextNotice },
    };
  },
});

const found = z.object({
  store: storeName,
  storeAppId: z.string(),
  name: z.string(),
  developer: z.string().nullable(),
  ...rated,
  appId: appId.nullable().describe('Set when followed here.'),
});

const findApp = defineTool({
  name: 'find_app',
  title: 'Find an app in a store',
  description:
    'Asks a store now (one request, or two): by name, store address or store id. Keeps nothing.',
  kind: 'read',
  asksStore: true,
  input: z.strictObject({
    query: z.string().min(1),
    store: storeName,
    country: country.optional().describe('Default: the address’s, or us.'),
  }),
  output: z.object({ apps: z.array(found), notice }),
  async run(api, { query, store, country: market }) {
    const { items, where } = await findInStore(api, query.trim(), store, market);
    const apps = items.map((item) => ({
      store: item.store,
      storeAppId: item.storeAppId,
      name: cut(item.name, 120),
      developer: cutOrNull(item.developer, 80),
      rating: item.rating,
      ratingCount: item.ratingCount,
      appId: item.tracked,
    }));
    const rows = apps.map(
      (app) =>
        `- ${app.store} ${app.storeAppId} · ${quote(app.name)} by ${quote(app.developer, 80)} · ${tellRating(app.rating, app.ratingCount)}${app.appId === null ? '' : ` · followed as app ${app.appId}`}`,
    );
    const more =
      apps.length === searchedMost
        ? `; no more than ${searchedMost} are asked for, a closer name or a store id finds others`
        : '';
    const asked = `${apps.length} found in the ${apps[0]?.store ?? store} store (${where})${more}`;
    return { text: lines(asked, rows, storeTextNotice), data: { apps, notice: storeTextNotice } };
  },
});

const searchedMost = 10;
const isStoreId = { ios: /^\d{5,15}$/, android: /^[A-Za-z]\w*(\.\w+)+$/ };

/** An address names its own country, which the API knows to read. */
async function findInStore(
  api: Client,
  query: string,
  store: 'ios' | 'android',
  market: string | undefined,
) {
  if (/^https?:\/\//.test(query)) {
    const listing = await api('GET /store/apps/lookup', { query: { url: query, country: market } });
    return { items: [listing], where: listing.country };
  }
  const where = market ?? 'us';
  // A name may look like an id: monday.com.
  const byId = isStoreId[store].test(query)
    ? await lookUp(api, { store, id: query, country: where })
    : null;
  if (byId) return { items: [byId], where };
  const { items } = await api('GET /store/apps/search', {
    query: { store, term: query, country: where, limit: searchedMost },
  });
  return { items, where };
}

async function lookUp(
  api: Client,
  query: { store: 'ios' | 'android'; id: string; country: string },
) {
  try {
    return await api('GET /store/apps/lookup', { query });
  } catch (error) {
    if (error instanceof ApiError && error.envelope.code === 'store_app_not_found') return null;
    throw error;
  }
}

const addApp = defineTool({
  name: 'add_app',
  title: 'Follow an app',
  description:
    'Follows an app by its store address, or by store and store id. Asks the store now and daily. One that is here already comes back.',
  kind: 'write',
  asksStore: true,
  idempotent: true,
  input: z.strictObject({
    url: z.string().optional(),
    store: storeName.optional(),
    storeAppId: z.string().optional(),
    country: country.optional(),
  }),
  output: z.object({
    appId,
    name: z.string(),
    store: storeName,
    added: z.boolean(),
    jobId: z.int().nullable(),
    notice,
  }),
  async run(api, { url, store, storeAppId, country: lookupCountry }) {
    if (
      (url === undefined) === (storeAppId === undefined) ||
      (storeAppId !== undefined && store === undefined)
    )
      throw new ToolFault('Give either url, or store and storeAppId. Nothing was written.');
    const which = url === undefined ? { store: store!, storeAppId: storeAppId! } : { url };
    const { app, job } = await api('POST /apps', {
      body: { ...which, ...(lookupCountry && { lookupCountry }) },
    });
    const name = cut(app.displayName ?? app.name, 120);
    const text = lines(
      job
        ? `App ${app.id} is followed now: ${quote(name)} (${app.store}).`
        : `It is here already, as app ${app.id}: ${quote(name)} (${app.store}). If it was archived, it is back now with its keywords.`,
      'Next: add_keywords. Without keywords there are no positions.',
      storeTextNotice,
    );
    return {
      text,
      data: {
        appId: app.id,
        name,
        store: app.store,
        added: job !== null,
        jobId: job && Number(job.id),
        notice: storeTextNotice,
      },
    };
  },
});

export const appTools = [listApps, getAppOverview, findApp, addApp];
