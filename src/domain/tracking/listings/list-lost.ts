import { isAbsent } from '../drift/field-reading.ts';
import type { ListingFields, ListingNumbers } from './clean-listing.ts';
import { contentFields } from './listing-content.ts';

const numberFields = ['rating', 'ratingCount', 'installs'] as const;

/**
 * The texts that were there before and are absent now. Release notes go with their version, and
 * only the listing's page has a subtitle.
 */
export function listLostTexts(before: ListingFields, after: ListingFields): string[] {
  const isOtherVersion = isOther(before.version, after.version);
  return contentFields.filter(
    (field) =>
      field !== 'subtitle' &&
      !isAbsent(before[field]) &&
      isAbsent(after[field]) &&
      !(field === 'releaseNotes' && isOtherVersion),
  );
}

export function listAbsentNumbers(numbers: ListingNumbers): string[] {
  return numberFields.filter((field) => numbers[field] === null);
}

export const isOther = (before: string | null, after: string | null): boolean =>
  before !== null && after !== null && before !== after;
