import type { AppListing } from '#domain/base/ports.ts';
import { parseExact } from '#lib/json.ts';
import { unreadable } from '../store-errors.ts';
import { readExactInteger, readHttpUrl, readText, required, toInstant } from '../value-readers.ts';
import { createFieldReader, firstOf } from '../field-reader.ts';
import { field, firstSeconds } from './fields.ts';
import { missingRpc, readIslands, type Islands } from './islands.ts';
import { iconOf, ratingsOf, toCard } from './parse-search.ts';
import { toPlainText } from './plain-text.ts';
import { pageUrl } from './urls.ts';

const detailsRpc = 'Ws7gDc';
/** The availability of an app that cannot be installed yet. */
const preRegistration = 1;
const playRoot = 'https://play.google.com';

/**
 * Reads the page of `/store/apps/details`. The rpc occurs twice; the one with a title is the app's.
 * Checked on the recording of 2026-07 (translate: 1619908402 installs).
 * Throws StoreError `refused` or `unreadable`, the latter also for the page of another app, and
 * with marker `other_page` for one that lacks what every listing has.
 */
export function parsePlayDetails(
  html: string,
  query: { storeAppId: string; country: string },
): AppListing {
  return readListing(findDetails(html, readIslands(html), query), query);
}

/** The record that holds all facts of the app. */
export function findDetails(
  html: string,
  islands: Islands,
  query: { storeAppId: string },
): unknown {
  const found = islands.find(detailsRpc, parseExact);
  if (found.length === 0) throw missingRpc(html, detailsRpc);
  const base = found
    .map((data) => field(data, [1, 2]))
    .find((candidate) => typeof field(candidate, [0, 0]) === 'string');
  if (base === undefined) throw unreadable('android', 'details', 'no details with a title');
  const ownId = field(base, [77, 0]) ?? null;
  if (ownId !== null && ownId !== query.storeAppId)
    throw unreadable('android', 'other-app', 'the page of another app');
  if (ownId === null && JSON.stringify(base, exactText).includes(`["${query.storeAppId}"]`))
    throw unreadable('android', 'details-moved', 'details whose fields have moved');
  return base;
}

const exactText = (_key: string, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value;

function readListing(base: unknown, query: { storeAppId: string; country: string }): AppListing {
  const card = readCardOf(base, query.storeAppId);
  const fields = createFieldReader<keyof AppListing>();
  const textAt = (path: number[], maxLength?: number) => readText(field(base, path), maxLength);
  const text = (name: keyof AppListing, path: number[], maxLength?: number) =>
    fields.read(name, textAt(path, maxLength));
  const developerPath = textAt([68, 1, 4, 2], 500);
  // An app that cannot be installed yet has no offer, no installs and no update.
  const isOut = field(base, [18, 0]) !== preRegistration;
  const ifOut = <Value>(value: Value | null | undefined) => (isOut ? required(value) : value);
  const offer = field(base, [57, 0, 0, 0, 0, 1, 0]);
  const purchases = textAt([19, 0], 200);
  // Users in the country see the translation if there is one.
  const description = firstOf(textAt([12, 0, 0, 1]), textAt([72, 0, 1]));
  const listing = {
    ...card,
    subtitle: null,
    summary: toText(fields.read('summary', required(textAt([73, 0, 1])))),
    description: toText(fields.read('description', required(description))),
    storeUrl: pageUrl(query.storeAppId, query.country),
    categoryId: fields.read('categoryId', required(textAt([79, 0, 0, 2], 100))),
    category: fields.read('category', required(textAt([79, 0, 0, 0], 200))),
    priceMicros: fields.read('priceMicros', ifOut(readPrice(field(offer, [0])))),
    currency: fields.read('currency', ifOut(readText(field(offer, [1]), 10))),
    version: text('version', [140, 0, 0, 0], 100),
    releaseNotes: toText(fields.read('releaseNotes', readNotes(field(base, [144])))),
    releasedAt: fields.read('releasedAt', readReleased(field(base, [10]))),
    updatedAt: fields.read('updatedAt', ifOut(readSeconds(field(base, [145, 0, 1, 0])))),
    contentRating: fields.read('contentRating', required(textAt([9, 0], 100))),
    sizeBytes: null,
    minimumOsVersion: fields.read('minimumOsVersion', readMinimumOs(field(base, [140]))),
    languages: [],
    screenshotUrls:
      fields.read('screenshotUrls', required(readScreenshots(field(base, [78, 0])))) ?? [],
    developerId: fields.read(
      'developerId',
      developerPath ? required(readDeveloperId(developerPath)) : undefined,
    ),
    developerUrl: fields.read(
      'developerUrl',
      developerPath ? required(absolute(developerPath)) : undefined,
    ),
    inAppPurchases: fields.read(
      'inAppPurchases',
      purchases === undefined ? undefined : purchases !== null,
    ),
    installs: fields.read('installs', ifOut(readInstalls(field(base, [13])))),
  };
  // The fields before the date of the update move with it, and some of them may be missing.
  if (isOut && listing.updatedAt === null)
    for (const name of ['version', 'releaseNotes', 'minimumOsVersion'] as const)
      fields.read(name, required(listing[name]));
  if (isOtherPage(base, listing))
    throw unreadable('android', 'other_page', 'details without installs and without a date');
  return { ...listing, unread: [...card.unread, ...fields.unread] };
}

/**
 * Play's page about data safety has the same rpc and a title, and nothing else of a listing. Only
 * an app that is open for registration before its release has neither installs nor an update.
 */
function isOtherPage(
  base: unknown,
  { installs, updatedAt }: Pick<AppListing, 'installs' | 'updatedAt'>,
): boolean {
  return installs === null && updatedAt === null && field(base, [18, 0]) !== preRegistration;
}

function readCardOf(base: unknown, storeAppId: string) {
  return toCard({
    id: storeAppId,
    name: field(base, [0, 0]),
    developer: field(base, [68, 0]),
    icon: iconOf(field(base, [95, 0])),
    ...ratingsOf(base),
  });
}

function toText(html: string | null): string | null {
  return html === null ? null : toPlainText(html) || null;
}

/** `['1,000+', 1000, 1234]`: the exact number is only after its rounded forms. */
function readInstalls(installs: unknown): bigint | null | undefined {
  if (installs === undefined || installs === null) return null;
  const isRounded = typeof readExactInteger(field(installs, [1])) === 'bigint';
  return isRounded ? readExactInteger(field(installs, [2])) : undefined;
}

/** Play states prices in millionths. No currency needs a larger number. */
function readPrice(value: unknown): number | null | undefined {
  const micros = readExactInteger(value);
  if (micros === undefined || micros === null) return micros;
  return micros < 1_000_000_000_000_000n ? Number(micros) : undefined;
}

function readSeconds(seconds: unknown): string | null | undefined {
  const exact = readExactInteger(seconds);
  if (exact === undefined || exact === null) return exact;
  return exact < firstSeconds ? undefined : toInstant(Number(exact) * 1000);
}

/**
 * The seconds if there are any, or else the text, but only in the form that means the same day in
 * every country: "Jul 6, 2026".
 */
function readReleased(released: unknown): string | null | undefined {
  const seconds = field(released, [1, 0]);
  if (seconds !== undefined && seconds !== null) return readSeconds(seconds);
  const text = readText(field(released, [0]));
  if (typeof text !== 'string') return text;
  const day = /^[A-Z][a-z]{2} (\d{1,2}), \d{4}$/.exec(text)?.[1];
  const ms = day === undefined ? NaN : Date.parse(`${text} UTC`);
  // JavaScript reads February 30 as a day of March.
  return new Date(ms).getUTCDate() === Number(day) ? toInstant(ms) : null;
}

/** `[null, [null, text]]` */
function readNotes(notes: unknown): string | null | undefined {
  if (notes === undefined || notes === null) return null;
  const inner = field(notes, [1]);
  if (inner === null) return null;
  const text = field(inner, [1]);
  return text === undefined ? undefined : readText(text);
}

/** `[[version], […, [[[level, '6.0']]]]]`; null in place of the innermost list varies by device. */
function readMinimumOs(versions: unknown): string | null | undefined {
  if (versions === undefined || versions === null) return null;
  const minimum = field(versions, [1, 1]);
  if (!Array.isArray(minimum)) return undefined;
  return minimum[0] === null ? null : required(readText(field(minimum, [0, 0, 1]), 50));
}

function readScreenshots(list: unknown): string[] | null | undefined {
  if (list === undefined || list === null) return null;
  // The store takes no app without pictures.
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const urls = list.slice(0, 100).map((shot) => readHttpUrl(field(shot, [3, 2])));
  return urls.every((url) => typeof url === 'string') ? urls : undefined;
}

function absolute(path: string): string | null {
  return URL.canParse(path, playRoot) ? (readHttpUrl(new URL(path, playRoot).href) ?? null) : null;
}

function readDeveloperId(path: string): string | null {
  return URL.canParse(path, playRoot) ? new URL(path, playRoot).searchParams.get('id') : null;
}
