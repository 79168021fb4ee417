import type { ChangedField } from '../../contract/changes.ts';
import { changedFields } from '../../contract/choices.ts';
import { collapseWhiteSpace } from '../../lib/text.ts';
import type { ListingFields } from '../listings/clean-listing.ts';
import { diffListings } from '../listings/listing-content.ts';

export interface FoundChange {
  field: ChangedField;
  before: unknown;
  after: unknown;
}

/** A listing's texts and the language they were read in. */
export interface Reading {
  language: string | null;
  fields: ListingFields;
}

/** The same in every language. */
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
 * What the listing's owner changed between two readings. A field that one of them did not tell is none: it is null where a
 * source lacks it. `told` names fields whose absence was read as such; of another version's release notes it always is. White
 * space, Unicode's forms of one letter, the order of sets and the hosts of pictures change nothing, and texts in another
 * language are not compared.
 */
export function findChanges(
  before: Reading,
  after: Reading,
  told: readonly ChangedField[] = [],
): FoundChange[] {
  const isComparable = (field: string) =>
    before.language === after.language || withoutLanguage.includes(field);
  const isTold = (field: string) =>
    told.some((one) => one === field) ||
    (field === 'releaseNotes' && hasOtherVersion(before.fields, after.fields));
  const found = diffListings({ ...before.fields, ...uncounted }, { ...after.fields, ...uncounted });
  return changedFields.flatMap((field) => {
    const change = found.find((one) => one.field === field);
    if (!change || !isComparable(field)) return [];
    const [from, to] = [change.before ?? null, change.after ?? null];
    if (!isTold(field) && !(isSeen(from) && isSeen(to))) return [];
    return isSameText(from, to) ? [] : [{ field, before: from, after: to }];
  });
}

/** Kept fields that the earlier reading did not tell and the later does: what they were is to be looked up further back. */
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
