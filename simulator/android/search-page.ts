import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { isWithholding, withhold } from '../http/withhold.ts';
import type { SimApp } from '../world/apps.ts';
import { hashText } from '../world/hash.ts';
import { toDetailsRecord } from './details-record.ts';
import { renderIslandPage, scriptJson } from './island-page.ts';
import { readStorefront } from './storefront.ts';
import type { PlayStorefront, RenderItem } from './rendered-items.ts';
import { link, sparse } from './sparse.ts';
import { writeToken } from './token.ts';

/**
 * `GET /store/search?q=&c=apps&hl=&gl=`: sometimes a featured match, the first results, and a token
 * if there are more.
 */
export function handleSearchPage(
  context: ResponseContext,
  renderItem: RenderItem,
): SimulatedResponse {
  const phrase = context.url.searchParams.get('q') ?? '';
  const { first, token, storefront } = readFirstPage(context, phrase);
  const html = renderIslandPage({
    title: `${phrase} - Android Apps on Google Play`,
    seed: hashText(phrase),
    shift: context.mutation === 'ds-shifted' ? 3 : 0,
    renameRpc: context.mutation === 'rpc-renamed',
    islands: [
      { key: 0, rpc: 'T6C6Se', request: [], json: '[]' },
      { key: 2, rpc: 'X5bnOb', request: [], json: '[1]' },
      { key: 3, rpc: 'AZO9Cb', request: [phrase, 4, [1]], json: scriptJson(chips(phrase)) },
      {
        key: 4,
        rpc: 'lGYRle',
        request: [phrase],
        json: searchJson({ first, token, storefront, phrase }, context, renderItem),
      },
      { key: 5, rpc: 'jRco8', request: [], json: '[]' },
    ],
  });
  const page = respond(200, 'html', html);
  page.headers['set-cookie'] = 'NID=sim; Path=/';
  return page;
}

interface FirstPage {
  first: readonly SimApp[];
  /** Null in a market that has no further page. */
  token: string | null;
  storefront: PlayStorefront;
}

function readFirstPage(context: ResponseContext, phrase: string): FirstPage {
  const { world, day, mutation } = context;
  const storefront = { ...readStorefront(context), day };
  const market = { store: 'android' as const, phrase, country: storefront.country, day };
  const known = mutation === 'no-results' || phrase.trim() === '' ? [] : world.order(market);
  const ranked = known.filter((app) => !context.isGone(app.storeAppId));
  const shown = withhold(ranked, mutation, world.visibleCount(market, ranked.length));
  const first = shown.slice(0, world.settings.androidFirstPage);
  const more =
    shown.length > first.length &&
    !isWithholding(mutation) &&
    world.searchModeOf(market).mode !== 'web30';
  const token = more
    ? writeToken({ phrase, country: storefront.country, day, offset: first.length })
    : null;
  return { first, token, storefront };
}

function searchJson(
  page: FirstPage & { phrase: string },
  context: ResponseContext,
  renderItem: RenderItem,
): string {
  const { first, token, storefront, phrase } = page;
  if (first.length === 0)
    return `[[null,[${scriptJson(sparse({ 3: [], 25: [['No results']] }))}],null,[]],[]]`;
  const chance = hashText(phrase, 404) % 10;
  // Three phrases in ten have a featured match; for one of the three the list begins with it too.
  const featured = chance < 3 ? first[0] : undefined;
  const listed = featured && chance > 0 ? first.slice(1) : first;
  const nulls = 'null,'.repeat(context.mutation === 'index-moved' ? 20 : 18);
  const toList = (apps: readonly SimApp[], next: string | null) => {
    const items = `[${apps.map((app) => renderItem('search', app, storefront)).join(',')}]`;
    const end = scriptJson(next === null ? [''] : ['', null, null, [null, next]]);
    return `[null,null,null,[],${nulls}[${items},${end}]]`;
  };
  const half = context.mutation === 'sections-split' ? Math.ceil(listed.length / 2) : 0;
  const sections = [
    ...(featured ? [scriptJson(featuredSection(featured, context, storefront))] : []),
    ...(half > 0 ? [toList(listed.slice(0, half), null), unknownSection] : []),
    // No recording shows an empty list.
    ...(listed.length > half ? [toList(listed.slice(half), token)] : []),
  ];
  return `[[null,[${sections.join(',')}],null,[null,null,0]],[]]`;
}

function featuredSection(
  app: SimApp,
  context: ResponseContext,
  storefront: PlayStorefront,
): unknown[] {
  const listing = context.world.listing(app, storefront);
  const id = app.storeAppId;
  const price = [[null, [[listing.priceCents * 10_000, listing.currency, '']]]];
  const match = sparse({
    16: [null, null, toDetailsRecord(listing), { 12: [[id, 7]] }],
    17: [[link(`/store/apps/details?id=${id}`), null, price]],
  });
  return sparse({ 3: [], [context.mutation === 'index-moved' ? 26 : 23]: match });
}

const unknownSection = scriptJson(sparse({ 3: [], 31: [['You might also like']] }));

/** The tabs and related searches above the results. */
function chips(phrase: string): unknown {
  const chip = (text: string, kind: number) => [
    null,
    text,
    null,
    null,
    kind,
    [null, null, `/store/search?q=${encodeURIComponent(text)}&c=apps`],
  ];
  const related = ['free', 'offline', 'for beginners', 'widget'].map((word) =>
    chip(`${phrase} ${word}`, 0),
  );
  return [
    [[[[null, 'Apps & games', null, null, 1, [null, null, '/store/search?c=apps']], ...related]]],
  ];
}
