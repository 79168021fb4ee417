import type { AppCard } from '#domain/base/ports.ts';
import { createFieldReader } from '../field-reader.ts';
import { unreadable } from '../store-errors.ts';
import { dedupeById, readCount, readRating, readText, readHttpUrl } from '../value-readers.ts';
import { expectRead, field, isPackageName } from './fields.ts';
import { missingRpc, readIslands } from './islands.ts';

export interface PlayPage {
  /** Apps in store order, each once. */
  items: AppCard[];
  /** The token of the next page; null when there is none. */
  token: string | null;
}

export interface PlaySearchPage extends PlayPage {
  /** `section` for each section of a kind that no parser knows. */
  unread: string[];
}

const searchRpc = 'lGYRle';

/**
 * Reads the page of `/store/search`: the apps of all sections, in the order of the page. An exact
 * match in a card of its own counts unless a list contains it. Checked on the recording of 2026-07
 * (panda: 1 featured and 19 apps, no token). Throws StoreError `refused` or `unreadable`; no items
 * means that the page itself had no list of apps.
 */
export function parsePlaySearch(html: string): PlaySearchPage {
  const islands = readIslands(html).find(searchRpc);
  if (islands.length === 0) throw missingRpc(html, searchRpc);
  const data = islands[0];
  const parts = field(data, [0, 1]);
  if (!Array.isArray(parts)) throw unreadable('android', 'sections', 'no list of sections');
  const sections = parts.map(readSection);
  const listed = new Set(sections.flatMap(({ list }) => list.map((item) => item.storeAppId)));
  const items = sections.flatMap(({ featured, list }) => [
    ...featured.filter((item) => !listed.has(item.storeAppId)),
    ...list,
  ]);
  // The data mentions apps but no list was found, so the layout has moved; the market is not empty.
  if (items.length === 0 && namesAnApp(data))
    throw unreadable('android', 'list-moved', 'apps outside the known list');
  return {
    items: dedupeById(items),
    // The apps of a token follow its own list, so only that of the last list continues the page.
    token: sections.findLast(({ list }) => list.length > 0)?.token ?? null,
    unread: sections.filter(({ isKnown }) => !isKnown).map(() => 'section'),
  };
}

interface Section {
  featured: AppCard[];
  list: AppCard[];
  token: string | null;
  isKnown: boolean;
}

/** The third kind is the message that there are no results. */
function readSection(section: unknown): Section {
  const [list, featured, message] = [22, 23, 25].map((index) => field(section, [index]) ?? null);
  return {
    featured: featured === null ? [] : readFeatured(featured),
    list: list === null ? [] : readList(list),
    token: readToken(field(list, [1, 3, 1])),
    isKnown: section === null || list !== null || featured !== null || message !== null,
  };
}

function readList(list: unknown): AppCard[] {
  const items = field(list, [0]);
  if (!Array.isArray(items)) throw unreadable('android', 'list', 'a list that is not one');
  return items.map((item) => readSearchItem(field(item, [0])));
}

/** The layout of search results. Clusters use it too, without its wrapper. */
export function readSearchItem(item: unknown): AppCard {
  return toCard({
    id: field(item, [0, 0]),
    name: field(item, [3]),
    developer: field(item, [14]),
    icon: field(item, [1, 3, 2]),
    rating: field(item, [4, 1]),
    ratingCount: null,
  });
}

function readFeatured(featured: unknown): AppCard[] {
  const details = field(featured, [16, 2]);
  const card = toCard({
    id: field(featured, [16, 11, 0, 0]),
    name: field(details, [0, 0]),
    developer: field(details, [68, 0]),
    icon: field(details, [95, 0, 3, 2]),
    rating: field(details, [51, 0, 1]),
    ratingCount: field(details, [51, 2, 1]),
  });
  return [card];
}

export function toCard(
  facts: Record<'id' | 'name' | 'developer' | 'icon' | 'rating' | 'ratingCount', unknown>,
): AppCard {
  if (!isPackageName(facts.id))
    throw unreadable('android', 'app-id', 'an app without its package name');
  const name = expectRead(readText(facts.name, 500), 'name');
  if (name === null) throw unreadable('android', 'name', 'an app without a name');
  const fields = createFieldReader<keyof AppCard>();
  const card = {
    storeAppId: facts.id,
    bundleId: facts.id,
    name,
    developer: fields.read('developer', readText(facts.developer, 500)),
    iconUrl: fields.read('iconUrl', readHttpUrl(facts.icon)),
    rating: fields.read('rating', readRating(facts.rating)),
    ratingCount: fields.read('ratingCount', readCount(facts.ratingCount)),
  };
  return { ...card, unread: fields.unread };
}

/** Tokens are base64url. They go into requests unchanged, so any other text is rejected. */
export function readToken(token: unknown): string | null {
  if (token === undefined || token === null || token === '') return null;
  if (!isToken(token)) throw unreadable('android', 'token', 'a continuation token of another form');
  return token;
}

export function isToken(token: unknown): token is string {
  return typeof token === 'string' && token.length <= 8192 && /^[\w-]+={0,2}$/.test(token);
}

/** Every app in Play's data is a pair of its package name and 7, with a link to its page. */
export function namesAnApp(data: unknown): boolean {
  const text = JSON.stringify(data) ?? '';
  return (
    text.includes('/store/apps/details?id=') || /\["[a-z]\w{0,60}\.[\w.]{1,100}",7\]/i.test(text)
  );
}
