import type { AppListing } from '#domain/base/ports.ts';
import { parseExact } from '#lib/json.ts';
import { unreadable } from '../store-errors.ts';
import { readExactInteger, readInstant, readText, readHttpUrl } from '../value-readers.ts';
import { expectRead, field } from './fields.ts';
import { missingRpc, readIslands, type Islands } from './islands.ts';
import { toCard } from './parse-search.ts';
import { toPlainText } from './plain-text.ts';
import { pageUrl } from './urls.ts';

const detailsRpc = 'Ws7gDc';
const playRoot = 'https://play.google.com';

/**
 * Reads the page of `/store/apps/details`. The rpc occurs twice; the one with a title is the app's.
 * Checked on the recording of 2026-07 (translate: 1619908402 installs).
 * Throws StoreError `refused` or `unreadable`, the latter also for the page of another app.
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
  const text = (path: number[], name: string, maxLength?: number) =>
    expectRead(readText(field(base, path), maxLength), name);
  const developerPath = text([68, 1, 4, 2], 'developer link', 500);
  const offer = field(base, [57, 0, 0, 0, 0, 1, 0]);
  return {
    ...readCardOf(base, query.storeAppId),
    subtitle: null,
    summary: toText(text([73, 0, 1], 'summary')),
    // Users in the country see the translation if there is one.
    description: toText(text([12, 0, 0, 1], 'translation') ?? text([72, 0, 1], 'description')),
    storeUrl: pageUrl(query.storeAppId, query.country),
    categoryId: text([79, 0, 0, 2], 'category id', 100),
    category: text([79, 0, 0, 0], 'category', 200),
    priceMicros: readPriceMicros(field(offer, [0])),
    currency: expectRead(readText(field(offer, [1]), 10), 'currency'),
    version: text([140, 0, 0, 0], 'version', 100),
    releaseNotes: toText(text([144, 1, 1], 'changes')),
    releasedAt: readReleased(field(base, [10])),
    updatedAt: readSeconds(field(base, [145, 0, 1, 0])),
    contentRating: text([9, 0], 'content rating', 100),
    sizeBytes: null,
    minimumOsVersion: text([140, 1, 1, 0, 0, 1], 'android version', 50),
    languages: [],
    screenshotUrls: readScreenshots(field(base, [78, 0])),
    developerId: developerPath === null ? null : readDeveloperId(developerPath),
    developerUrl: developerPath === null ? null : absolute(developerPath),
    inAppPurchases: text([19, 0], 'purchases', 200) !== null,
    installs: expectRead(readExactInteger(field(base, [13, 2])), 'installs'),
  };
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
function readPriceMicros(price: unknown): number | null {
  const micros = expectRead(readExactInteger(price), 'price');
  return micros === null ? null : Number(micros);
}

function readSeconds(seconds: unknown): string | null {
  const exact = expectRead(readExactInteger(seconds), 'updated');
  return exact === null ? null : readInstant(Number(exact) * 1000);
}

/**
 * The seconds if there are any, or else the text, but only in the form that means the same day in
 * every country: "Jul 6, 2026".
 */
function readReleased(released: unknown): string | null {
  const seconds = field(released, [1, 0]);
  if (typeof seconds === 'number') return readInstant(seconds * 1000);
  const text = field(released, [0]);
  return typeof text === 'string' && /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/.test(text)
    ? readInstant(`${text} UTC`)
    : null;
}

function readScreenshots(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  const urls = list
    .slice(0, 100)
    .map((shot) => expectRead(readHttpUrl(field(shot, [3, 2])), 'screenshot'));
  return urls.filter((url) => url !== null);
}

function absolute(path: string): string | null {
  return URL.canParse(path, playRoot) ? (readHttpUrl(new URL(path, playRoot).href) ?? null) : null;
}

function readDeveloperId(path: string): string | null {
  return URL.canParse(path, playRoot) ? new URL(path, playRoot).searchParams.get('id') : null;
}
