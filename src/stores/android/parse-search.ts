import type { AppCard } from '#domain/base/ports.ts';
import { createFieldReader } from '../field-reader.ts';
import { unreadable } from '../store-errors.ts';
import {
  dedupeById,
  readCount,
  readHttpUrl,
  readRating,
  readText,
  required,
} from '../value-readers.ts';
import { expectRead, field, isPackageName, numberOf } from './fields.ts';
import { missingRpc, readIslands } from './islands.ts';
import { listNamedApps } from './named-apps.ts';
import { readAllRatings } from './ratings.ts';

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
  if (items.length === 0 && sections.every(({ isKnown, hasMessage }) => isKnown && !hasMessage))
    throw unreadable('android', 'nothing', 'neither apps nor the message that there are none');
  requireAllApps(withoutUnknown(data, parts, sections), items);
  return {
    items: dedupeById(items),
    // The apps of a token follow its own list, so only that of the last list continues the page.
    token: sections.findLast(({ list }) => list.length > 0)?.token ?? null,
    unread: sections.filter(({ isKnown }) => !isKnown).map(() => 'section'),
  };
}

/** Apps of unknown sections are counted as such, and are not missing. */
function withoutUnknown(data: unknown, parts: readonly unknown[], sections: readonly Section[]) {
  const known = parts.filter((_part, index) => sections[index]!.isKnown);
  return [known, field(data, [0, 2]), field(data, [1]), field(data, [2])];
}

interface Section {
  featured: AppCard[];
  list: AppCard[];
  token: string | null;
  isKnown: boolean;
  /** The message that there are no results. */
  hasMessage: boolean;
}

function readSection(section: unknown): Section {
  const [list, featured, message] = [22, 23, 25].map((index) => field(section, [index]) ?? null);
  return {
    featured: featured === null ? [] : readFeatured(featured),
    list: list === null ? [] : readList(list),
    token: list === null ? null : readTokenOf(field(list, [1])),
    hasMessage: message !== null,
    isKnown: section === null || list !== null || featured !== null || message !== null,
  };
}

function readList(list: unknown): AppCard[] {
  const items = field(list, [0]);
  if (!Array.isArray(items) || items.length === 0)
    throw unreadable('android', 'list', 'a list without apps');
  return items.map((item) => readSearchItem(field(item, [0])));
}

/** The layout of search results. Clusters use it too, without its wrapper. */
export function readSearchItem(item: unknown): AppCard {
  requireOwnLink(item, field(item, [10]), field(item, [0, 0]));
  return toCard({
    id: field(item, [0, 0]),
    name: field(item, [3]),
    developer: field(item, [14]),
    icon: iconOf(field(item, [1])),
    rating: numberOf(field(item, [4])),
    ratingCount: null,
  });
}

/** Rating and count of a details record; null for a new app. */
export function ratingsOf(details: unknown): Record<'rating' | 'ratingCount', unknown> {
  const { rating, ratingCount } = readAllRatings(details);
  return {
    rating: rating === undefined ? 'unread' : rating,
    ratingCount: ratingCount === undefined ? 'unread' : ratingCount,
  };
}

/** The address of a picture, if it is a square as icons are. */
export function iconOf(picture: unknown): unknown {
  const [width, height] = [0, 1].map((index) => field(picture, [2, index]));
  return width === height ? field(picture, [3, 2]) : 'not a square';
}

/** A link to an app names it a second time. Without it the fields have moved. */
export function requireOwnLink(item: unknown, link: unknown, storeAppId: unknown): void {
  const path = field(link, [4, 2]);
  const named = typeof path === 'string' ? /[?&]id=([\w.]+)/.exec(path)?.[1] : undefined;
  if (named !== undefined && named !== storeAppId)
    throw unreadable('android', 'other-id', `an app with a link to ${named.slice(0, 150)}`);
  if (named === undefined && JSON.stringify(item)?.includes('"/store/apps/details?id='))
    throw unreadable('android', 'item-moved', 'an app whose link has moved');
}

/** Every app that the data name must have been read. */
export function requireAllApps(data: unknown, items: readonly AppCard[]): void {
  const read = new Set(items.map((item) => item.storeAppId));
  for (const id of listNamedApps(data))
    if (!read.has(id) && isPackageName(id))
      throw unreadable('android', 'apps-missing', `${id} is outside the known list`);
}

function readFeatured(featured: unknown): AppCard[] {
  const details = field(featured, [16, 2]);
  requireOwnLink(null, field(featured, [17, 0, 0]), field(featured, [16, 11, 0, 0]));
  const card = toCard({
    id: field(featured, [16, 11, 0, 0]),
    name: field(details, [0, 0]),
    developer: field(details, [68, 0]),
    icon: iconOf(field(details, [95, 0])),
    ...ratingsOf(details),
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
    developer: fields.read('developer', required(readDeveloper(facts.developer))),
    iconUrl: fields.read('iconUrl', required(readHttpUrl(facts.icon))),
    rating: fields.read('rating', readRating(facts.rating)),
    ratingCount: fields.read('ratingCount', readCount(facts.ratingCount)),
  };
  return { ...card, unread: fields.unread };
}

/** The field after the developer has installs such as `1,000,000+`, which are nobody's name. */
function readDeveloper(developer: unknown): string | null | undefined {
  const name = readText(developer, 500);
  return typeof name === 'string' && /^[\d.,\s]+\+$/.test(name) ? undefined : name;
}

/** Tokens are base64url. They go into requests unchanged, so any other text is rejected. */
export function readToken(token: unknown): string | null {
  if (token === undefined || token === null || token === '') return null;
  if (!isToken(token)) throw unreadable('android', 'token', 'a continuation token of another form');
  return token;
}

/**
 * The token at the end of a list, `[title, …, link, [null, token]]`. Nothing else there is as long
 * as a token, so another long text of its form is a token that has moved.
 */
export function readTokenOf(end: unknown, path: readonly number[] = [3, 1]): string | null {
  if (!Array.isArray(end)) throw unreadable('android', 'list-end', 'a list without its end');
  const token = readToken(field(end, path));
  if (token === null && longToken.test(JSON.stringify(end) ?? ''))
    throw unreadable('android', 'token-moved', 'a continuation token in another place');
  return token;
}

export function isToken(token: unknown): token is string {
  return typeof token === 'string' && token.length <= 8192 && /^[\w-]+={0,2}$/.test(token);
}

const longToken = /"[\w-]{40,8192}={0,2}"/;

/** Every app in Play's data is a pair of its package name and 7, with a link to its page. */
export function namesAnApp(data: unknown): boolean {
  const text = JSON.stringify(data) ?? '';
  return (
    text.includes('/store/apps/details?id=') || /\["[a-z]\w{0,60}\.[\w.]{1,100}",7\]/i.test(text)
  );
}
