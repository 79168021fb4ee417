import { z } from 'zod';
import { isTypedAddress, profileOf, readTypedAppId, type StoreName } from '#stores/profiles.ts';
import { ApiError, type Client } from '#client/http.ts';
import {
  countryArgument,
  cursorArgument,
  limitArgument,
  storeArgument,
} from '../argument-schemas.ts';
import { appId, notice, page, storeName } from '../common-schemas.ts';
import { defineTool, ToolError } from '../tool.ts';
import {
  cut,
  truncateOrNull,
  lines,
  quote,
  storeTextNotice,
  formatCount,
  formatRating,
} from '../text-format.ts';
import { getAppOverview } from './app-overview.ts';

const rated = { rating: z.number().nullable(), ratingCount: z.int().nullable() };

const listApps = defineTool({
  name: 'list_apps',
  title: 'List apps',
  description: 'The apps of this workspace with their ids. Begin here.',
  kind: 'read',
  input: z.strictObject({
    query: z.string().optional().describe('Part of the name or id.'),
    store: storeArgument.optional(),
    limit: limitArgument.default(25),
    cursor: cursorArgument,
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
        `${app.appId} · ${app.store} ${app.storeAppId} · ${quote(app.name)} · ` +
        `${app.keywords} keywords, ${app.ranked} ranked · ` +
        `${formatRating(app.rating, app.ratingCount)}`,
    );
    const text = lines(
      formatCount(apps.length, list, 'apps (id · store · name)', 'query or store'),
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
  appId: appId.nullable().describe('Set when tracked here.'),
});

const findApp = defineTool({
  name: 'find_app',
  title: 'Find an app',
  description: 'Queries a store now. Stores nothing.',
  kind: 'read',
  queriesStore: true,
  input: z.strictObject({
    query: z.string().min(1).describe('Name, store address or store id.'),
    store: storeArgument,
    country: countryArgument.optional().describe('Default: the address’s, or us.'),
  }),
  apiNames: { id: 'query', url: 'query' },
  output: z.object({ apps: z.array(found), notice }),
  async run(api, { query, store, country: market }) {
    const { items, where } = await findInStore(api, query.trim(), store, market);
    const apps = items.map((item) => ({
      store: item.store,
      storeAppId: item.storeAppId,
      name: cut(item.name, 120),
      developer: truncateOrNull(item.developer, 80),
      rating: item.rating,
      ratingCount: item.ratingCount,
      appId: item.tracked,
    }));
    const rows = apps.map(
      (app) =>
        `- ${app.store} ${app.storeAppId} · ${quote(app.name)} by ` +
        `${quote(app.developer, 80)} · ${formatRating(app.rating, app.ratingCount)}` +
        `${app.appId === null ? '' : ` · tracked as app ${app.appId}`}`,
    );
    const more =
      apps.length === maxSearchedApps
        ? `; at most ${maxSearchedApps} are requested, a closer name or a store id finds others`
        : '';
    const asked = `${apps.length} found in the ${apps[0]?.store ?? store} store (${where})${more}`;
    return { text: lines(asked, rows, storeTextNotice), data: { apps, notice: storeTextNotice } };
  },
});

const maxSearchedApps = 10;

/** The API reads the country from a store address. */
async function findInStore(
  api: Client,
  query: string,
  store: StoreName,
  market: string | undefined,
) {
  if (isTypedAddress(query)) {
    const listing = await api('GET /store/apps/lookup', { query: { url: query, country: market } });
    return { items: [listing], where: listing.country };
  }
  const where = market ?? 'us';
  // A name may look like an id: monday.com.
  const id = readTypedAppId(profileOf(store), query);
  const byId = id === null ? null : await lookUp(api, { store, id, country: where });
  if (byId) return { items: [byId], where };
  const { items } = await api('GET /store/apps/search', {
    query: { store, q: query, country: where, limit: maxSearchedApps },
  });
  return { items, where };
}

async function lookUp(api: Client, query: { store: StoreName; id: string; country: string }) {
  try {
    return await api('GET /store/apps/lookup', { query });
  } catch (error) {
    if (error instanceof ApiError && error.envelope.code === 'store_app_not_found') return null;
    throw error;
  }
}

const addApp = defineTool({
  name: 'add_app',
  title: 'Track an app',
  description:
    'Tracks an app by its store address, or by store and id. Queries the store now and daily. ' +
    'A tracked app stays unchanged.',
  kind: 'write',
  queriesStore: true,
  idempotent: true,
  input: z.strictObject({
    url: z.string().optional().describe('The store address.'),
    store: storeArgument.optional().describe('With storeAppId.'),
    storeAppId: z.string().optional().describe('The store’s id, instead of url.'),
    country: countryArgument.optional().describe('Where to look it up.'),
  }),
  apiNames: { lookupCountry: 'country' },
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
      throw new ToolError('Give either url, or store and storeAppId. Nothing was written.');
    const which = url === undefined ? { store: store!, storeAppId: storeAppId! } : { url };
    const { app, job } = await api('POST /apps', {
      body: { ...which, ...(lookupCountry && { lookupCountry }) },
    });
    const name = cut(app.displayName ?? app.name, 120);
    const text = lines(
      job
        ? `App ${app.id} is now tracked: ${quote(name)} (${app.store}).`
        : `It is already tracked as app ${app.id}: ${quote(name)} (${app.store}). If it was ` +
            'archived, it is restored with its keywords.',
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
