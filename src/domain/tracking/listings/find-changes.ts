import type { ChangedField } from '#contract/changes.ts';
import { changedFields } from '#contract/choices.ts';
import { collapseWhiteSpace } from '#lib/text.ts';
import type { ListingFields } from './clean-listing.ts';
import { diffListings } from './listing-content.ts';

export interface DetectedChange {
  field: ChangedField;
  before: unknown;
  after: unknown;
}

/** A listing's texts and their language. */
export interface Reading {
  language: string | null;
  fields: ListingFields;
}

export interface ReadingDetails {
  /** Fields whose absence was observed. */
  reported?: readonly ChangedField[];
  /** Fields that could not be read. */
  unread?: readonly string[];
}

/** Fields that are the same in every language. */
const withoutLanguage: readonly string[] = [
  'developer',
  'iconUrl',
  'price',
  'currency',
  'version',
  'minimumOsVersion',
  'languages',
  'inAppPurchases',
];
const uncounted = { rating: null, ratingCount: null, installs: null };

/**
 * The changes that the listing's owner made between two readings. A field that one reading lacks
 * has no change: it is null where a source does not provide it. `reported` names fields whose
 * absence was observed; release notes of another version always count. White space, Unicode forms,
 * the order of sets and image hosts make no difference, and texts in different languages are not
 * compared. Neither are fields of the later reading that are unknown.
 */
export function findChanges(
  before: Reading,
  after: Reading,
  { reported = [], unread = [] }: ReadingDetails = {},
): DetectedChange[] {
  const isComparable = (field: string) =>
    before.language === after.language || withoutLanguage.includes(field);
  const isReported = (field: string) =>
    reported.some((one) => one === field) ||
    (field === 'releaseNotes' && hasOtherVersion(before.fields, after.fields));
  const found = diffListings({ ...before.fields, ...uncounted }, { ...after.fields, ...uncounted });
  return changedFields.flatMap((field) => {
    const change = found.find((one) => one.field === field);
    if (!change || unread.includes(field) || !isComparable(field)) return [];
    const [from, to] = [change.before ?? null, change.after ?? null];
    if (!isReported(field) && !(isSeen(from) && isSeen(to))) return [];
    return isSameText(from, to) ? [] : [{ field, before: from, after: to }];
  });
}

/**
 * Stored fields that the earlier reading lacks and the later one has: their previous value is
 * further back.
 */
export function listUnseen(before: ListingFields, after: ListingFields): (keyof ListingFields)[] {
  const kept = changedFields.map((field) => (field === 'price' ? 'priceMicros' : field));
  return kept.filter((field) => !isSeen(before[field]) && isSeen(after[field]));
}

function hasOtherVersion(before: ListingFields, after: ListingFields): boolean {
  return isSeen(before.version) && isSeen(after.version) && before.version !== after.version;
}

function isSeen(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function isSameText(before: unknown, after: unknown): boolean {
  const plain = (text: string) => collapseWhiteSpace(text.normalize('NFC'));
  return typeof before === 'string' && typeof after === 'string' && plain(before) === plain(after);
}
