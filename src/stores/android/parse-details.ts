import type { AppListing } from '#domain/base/ports.ts';
import { parseExact } from '#lib/json.ts';
import { unreadable } from '../store-errors.ts';
import { readExactInteger, readText, readHttpUrl, toInstant } from '../value-readers.ts';
import { createFieldReader, firstOf } from '../field-reader.ts';
import { field } from './fields.ts';
import { missingRpc, readIslands, type Islands } from './islands.ts';
import { toCard } from './parse-search.ts';
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
 * with marker `doubtful` for one that lacks what every listing has.
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
  const ownId = field(base, [77, 0]);
  if (ownId !== undefined && ownId !== null && ownId !== query.storeAppId) {
    throw unreadable('android', 'other-app', 'the page of another app');
  }
  return base;
}

function readListing(base: unknown, query: { storeAppId: string; country: string }): AppListing {
  const card = readCardOf(base, query.storeAppId);
  const fields = createFieldReader<keyof AppListing>();
  const textAt = (path: number[], maxLength?: number) => readText(field(base, path), maxLength);
  const text = (name: keyof AppListing, path: number[], maxLength?: number) =>
    fields.read(name, textAt(path, maxLength));
  const developerPath = textAt([68, 1, 4, 2], 500);
  const offer = field(base, [57, 0, 0, 0, 0, 1, 0]);
  const purchases = textAt([19, 0], 200);
  // Users in the country see the translation if there is one.
  const description = firstOf(textAt([12, 0, 0, 1]), textAt([72, 0, 1]));
  const listing = {
    ...card,
    subtitle: null,
    summary: toText(text('summary', [73, 0, 1])),
    description: toText(fields.read('description', description)),
    storeUrl: pageUrl(query.storeAppId, query.country),
    categoryId: text('categoryId', [79, 0, 0, 2], 100),
    category: text('category', [79, 0, 0, 0], 200),
    priceMicros: toNumber(fields.read('priceMicros', readExactInteger(field(offer, [0])))),
    currency: fields.read('currency', readText(field(offer, [1]), 10)),
    version: text('version', [140, 0, 0, 0], 100),
    releaseNotes: toText(text('releaseNotes', [144, 1, 1])),
    releasedAt: fields.read('releasedAt', readReleased(field(base, [10]))),
    updatedAt: fields.read('updatedAt', readSeconds(field(base, [145, 0, 1, 0]))),
    contentRating: text('contentRating', [9, 0], 100),
    sizeBytes: null,
    minimumOsVersion: text('minimumOsVersion', [140, 1, 1, 0, 0, 1], 50),
    languages: [],
    screenshotUrls: fields.read('screenshotUrls', readScreenshots(field(base, [78, 0]))) ?? [],
    developerId: fields.read('developerId', developerPath && readDeveloperId(developerPath)),
    developerUrl: fields.read('developerUrl', developerPath && absolute(developerPath)),
    inAppPurchases: fields.read(
      'inAppPurchases',
      purchases === undefined ? undefined : purchases !== null,
    ),
    installs: fields.read('installs', readExactInteger(field(base, [13, 2]))),
  };
  if (isDoubtful(base, listing))
    throw unreadable('android', 'doubtful', 'details without installs and without a date');
  return { ...listing, unread: [...card.unread, ...fields.unread] };
}

/**
 * Play's page about data safety has the same rpc and a title, and nothing else of a listing. Only
 * an app that is open for registration before its release has neither installs nor an update.
 */
function isDoubtful(
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
    icon: field(base, [95, 0, 3, 2]),
    rating: field(base, [51, 0, 1]),
    ratingCount: field(base, [51, 2, 1]),
  });
}

function toText(html: string | null): string | null {
  return html === null ? null : toPlainText(html) || null;
}

/** Play states prices in millionths. */
function toNumber(micros: bigint | null): number | null {
  return micros === null ? null : Number(micros);
}

function readSeconds(seconds: unknown): string | null | undefined {
  const exact = readExactInteger(seconds);
  return exact === undefined || exact === null ? exact : toInstant(Number(exact) * 1000);
}

/**
 * The seconds if there are any, or else the text, but only in the form that means the same day in
 * every country: "Jul 6, 2026".
 */
function readReleased(released: unknown): string | null | undefined {
  const seconds = field(released, [1, 0]);
  if (seconds !== undefined && seconds !== null) return readSeconds(seconds);
  const text = field(released, [0]);
  const day =
    typeof text === 'string' ? /^[A-Z][a-z]{2} (\d{1,2}), \d{4}$/.exec(text)?.[1] : undefined;
  const ms = day === undefined ? NaN : Date.parse(`${String(text)} UTC`);
  // JavaScript reads February 30 as a day of March.
  return new Date(ms).getUTCDate() === Number(day) ? toInstant(ms) : null;
}

function readScreenshots(list: unknown): string[] | null | undefined {
  if (list === undefined || list === null) return null;
  if (!Array.isArray(list)) return undefined;
  const urls = list.slice(0, 100).map((shot) => readHttpUrl(field(shot, [3, 2])));
  return urls.includes(undefined) ? undefined : urls.filter((url) => typeof url === 'string');
}

function absolute(path: string): string | null {
  return URL.canParse(path, playRoot) ? (readHttpUrl(new URL(path, playRoot).href) ?? null) : null;
}

function readDeveloperId(path: string): string | null {
  return URL.canParse(path, playRoot) ? new URL(path, playRoot).searchParams.get('id') : null;
}
