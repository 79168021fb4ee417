import { answer, type Answer } from '../http/answer.ts';
import type { AnswerContext } from '../http/answer-context.ts';
import type { SimApp } from '../world/apps.ts';
import { hashText } from '../world/hash.ts';
import type { SimListing } from '../world/listing.ts';
import { toDetailsRecord } from './details-record.ts';
import { renderIslandPage } from './island-page.ts';
import { toSearchItem } from './items.ts';
import { readPlace } from './market.ts';
import { link, sparse } from './sparse.ts';
import { writeToken } from './token.ts';

/** `GET /store/search?q=&c=apps&hl=&gl=`: a featured match now and then, the first places, a token where there are more. */
export function answerSearchPage(context: AnswerContext): Answer {
  const { url, world, day, twist } = context;
  const { country, language } = readPlace(context);
  const phrase = url.searchParams.get('q') ?? '';
  const market = { store: 'android' as const, phrase, country, day };
  const ranked = twist === 'no-results' || phrase.trim() === '' ? [] : world.order(market).filter((app) => !context.isGone(app.storeAppId));
  const shortened = twist === 'shorter' ? ranked.slice(0, Math.ceil(ranked.length / 8)) : ranked;
  const first = shortened.slice(0, world.settings.androidFirstPage);
  const { regime } = world.regimeOf(market);
  const more = shortened.length > first.length && regime !== 'web30' && twist !== 'shorter';
  const token = more ? writeToken({ phrase, country, day, offset: first.length }) : null;
  const describe = (app: SimApp) => world.listing(app, { country, language, day });
  const html = renderIslandPage({
    title: `${phrase} - Android Apps on Google Play`,
    seed: hashText(phrase),
    shift: twist === 'ds-shifted' ? 3 : 0,
    renameRpc: twist === 'rpc-renamed',
    islands: [
      { place: 0, rpc: 'T6C6Se', request: [], data: [] },
      { place: 2, rpc: 'X5bnOb', request: [], data: [1] },
      { place: 3, rpc: 'AZO9Cb', request: [phrase, 4, [1]], data: chips(phrase) },
      { place: 4, rpc: 'lGYRle', request: [phrase], data: searchData(first.map(describe), phrase, token, context) },
      { place: 5, rpc: 'jRco8', request: [], data: [] },
    ],
  });
  const page = answer(200, 'html', html);
  page.headers['set-cookie'] = 'NID=sim; Path=/';
  return page;
}

function searchData(listings: readonly SimListing[], phrase: string, token: string | null, context: AnswerContext): unknown {
  const listSection = context.twist === 'index-moved' ? 24 : 22;
  if (listings.length === 0) return [[null, [sparse({ 3: [], 25: [["We couldn't find anything for your search"]] })], null, []], []];
  const chance = hashText(phrase, 404) % 10;
  // Three phrases in ten have a featured match; one of them lists the app a second time, at the top of the list.
  const featured = chance < 3 ? listings[0] : undefined;
  const listed = featured && chance > 0 ? listings.slice(1) : listings;
  const items = listed.map((listing) => toSearchItem(listing, context.origin));
  const list = sparse({ 3: [], [listSection]: [items, token === null ? [''] : ['', null, null, [null, token]]] });
  const sections = featured ? [featuredSection(featured, context.origin), list] : [list];
  return [[null, sections, null, [null, null, 0]], []];
}

function featuredSection(listing: SimListing, origin: string): unknown[] {
  const id = listing.app.storeAppId;
  const price = [[null, [[listing.priceCents * 10_000, listing.currency, '']]]];
  return sparse({
    3: [],
    23: sparse({
      16: [null, null, toDetailsRecord(listing, origin), { 12: [[id, 7]] }],
      17: [[link(`/store/apps/details?id=${id}`), null, price]],
    }),
  });
}

/** The tabs and related searches above the results. */
function chips(phrase: string): unknown {
  const chip = (text: string, kind: number) => [null, text, null, null, kind, [null, null, `/store/search?q=${encodeURIComponent(text)}&c=apps`]];
  const related = ['free', 'offline', 'for beginners', 'widget'].map((word) => chip(`${phrase} ${word}`, 0));
  return [[[[[null, 'Apps & games', null, null, 1, [null, null, '/store/search?c=apps']], ...related]]]];
}
