import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { chartOf, maxPositions, type SimChart } from '../world/charts.ts';
import { languageOf } from '../world/countries.ts';
import type { SimListing } from '../world/listing.ts';
import { PartitionedCache } from '../world/partitioned-cache.ts';
import { subjects } from '../world/words.ts';
import { iconOf } from '../world/artwork.ts';
import { imageAddress } from './artwork.ts';
import { dateOf, slug } from './card.ts';
import { genreOf } from './genres.ts';
import { label, pathParts } from './rss.ts';

const charts: ReadonlyMap<string, SimChart> = new Map([
  ['topfreeapplications', 'free'],
  ['toppaidapplications', 'paid'],
  ['topgrossingapplications', 'grossing'],
]);

/**
 * `GET /{cc}/rss/{chart}/limit=N[/genre=G]/json`, its parts in any order; 404 for an unknown chart.
 */
export function handleChart(context: ResponseContext, renderEntry: RenderEntry): SimulatedResponse {
  const { country, feed, parts: options } = pathParts(context.url.pathname);
  const chart = charts.get(feed);
  if (chart === undefined) return respond(404, 'html', '<html><body>404 Not Found</body></html>');
  const limit = Math.min(maxPositions, Math.max(1, Number(options.get('limit') ?? 25)));
  const category = context.mutation === 'genre-ignored' ? null : (options.get('genre') ?? null);
  const listings = listChartEntries(context, { country, chart, category }).slice(0, limit);
  const entries = listings.map((listing) => renderEntry(listing, context, country)).join();
  const parts = [
    `"author":${JSON.stringify({ name: label('iTunes Store') })}`,
    ...(listings.length === 0
      ? []
      : [`"entry":${listings.length === 1 ? entries : `[${entries}]`}`]),
    `"updated":${JSON.stringify(label(context.now.toISOString()))}`,
    `"title":${JSON.stringify(label(`iTunes Store: ${feed}`))}`,
    `"link":${JSON.stringify(linksOf(`${country}/rss/${feed}/limit=${limit}`, category))}`,
  ];
  return respond(
    200,
    'script',
    `{"${context.mutation === 'rpc-renamed' ? 'rss' : 'feed'}":{${parts.join()}}}`,
  );
}

function linksOf(path: string, category: string | null): unknown[] {
  const genre = category === null ? '' : `/genre=${category}`;
  const href = `https://itunes.apple.com/${path}${genre}/json`;
  return [{ attributes: { rel: 'self', href } }];
}

/** Caches entries as JSON, because an app is in several charts of a day. */
export function createChartEntries() {
  const rendered = new PartitionedCache<string>(16 * 1024 * 1024, (entry) => entry.length);
  return function renderEntry(
    listing: SimListing,
    context: ResponseContext,
    country: string,
  ): string {
    const { world, day, mutation } = context;
    const shelf = `${world.overrides.version()}|${day}|${country}|${mutation}`;
    return rendered.take(shelf, listing.app.index, () =>
      JSON.stringify(toEntry(listing, context, country)),
    );
  };
}

export type RenderEntry = ReturnType<typeof createChartEntries>;

/**
 * `GET /api/v2/{cc}/apps/{top-free|top-paid}/{10|25|50|100}/apps.json`: without categories, at most
 * 100.
 */
export function handleChartV2(context: ResponseContext): SimulatedResponse {
  const match = /^\/api\/v2\/([a-z]{2})\/apps\/(top-free|top-paid)\/(\d{1,4})\/apps\.json$/.exec(
    context.url.pathname,
  );
  if (!match) return respond(404, 'html', '<html><body>404 Not Found</body></html>');
  const [, country = '', feed, count] = match;
  if (Number(count) > 100)
    return respond(500, 'html', '<html><body>500 Internal Server Error</body></html>');
  const listings = listChartEntries(context, {
    country,
    chart: feed === 'top-free' ? 'free' : 'paid',
    category: null,
  }).slice(0, Number(count));
  const results = listings.map(({ app, title }) => ({
    artistName: app.developer,
    id: app.storeAppId,
    name: title,
    releaseDate: dateOf(app.releasedOn).slice(0, 10),
    kind: 'apps',
    artworkUrl100: imageAddress(iconOf(app), '100x100bb.jpg'),
    genres: [],
    url: `https://apps.apple.com/${country}/app/${slug(title)}/id${app.storeAppId}`,
  }));
  return respond(
    200,
    'json',
    JSON.stringify({
      feed: { title: 'Top Apps', country, updated: context.now.toUTCString(), results },
    }),
  );
}

function listChartEntries(
  context: ResponseContext,
  query: { country: string; chart: SimChart; category: string | null },
): SimListing[] {
  if (context.mutation === 'soft-empty' || context.mutation === 'no-results') return [];
  const { world, day } = context;
  const apps = chartOf(world, { store: 'ios', day, ...query }).filter(
    (app) => !context.isGone(app.storeAppId),
  );
  const shown = context.mutation === 'shorter' ? apps.slice(0, Math.ceil(apps.length / 8)) : apps;
  const { country } = query;
  return shown.map((app) => world.listing(app, { country, language: languageOf(country), day }));
}

function toEntry(
  listing: SimListing,
  context: ResponseContext,
  country: string,
): Record<string, unknown> {
  const { app, title } = listing;
  const subject = subjects[app.subject]!;
  const amount = (listing.priceCents / 100).toFixed(2);
  const image = (height: number) => ({
    label: imageAddress(iconOf(app), `${height}x${height}bb.png`),
    attributes: { height: String(height) },
  });
  const address = `https://apps.apple.com/${country}/app/${slug(title)}/id${app.storeAppId}?uo=2`;
  return {
    'im:name': label(title),
    'im:image': [image(53), image(75), image(100)],
    summary: label(listing.description),
    'im:price': {
      label: listing.priceCents === 0 ? 'Get' : amount,
      attributes: { amount, currency: listing.currency },
    },
    'im:contentType': { attributes: { term: 'Application', label: 'Application' } },
    rights: label(`© ${app.developer}`),
    title: label(`${title} - ${app.developer}`),
    link: { attributes: { rel: 'alternate', type: 'text/html', href: address } },
    id: {
      label: address,
      attributes: {
        [context.mutation === 'index-moved' ? 'im:key' : 'im:id']: app.storeAppId,
        'im:bundleId': app.bundleId,
      },
    },
    'im:artist': {
      label: app.developer,
      attributes: {
        href: `https://apps.apple.com/${country}/developer/${slug(app.developer)}/id${app.developerId}?uo=2`,
      },
    },
    category: {
      attributes: {
        'im:id': String(genreOf(subject.name)),
        term: subject.name,
        label: listing.category,
      },
    },
    'im:releaseDate': {
      label: dateOf(app.releasedOn),
      attributes: { label: dateOf(app.releasedOn).slice(0, 10) },
    },
  };
}
