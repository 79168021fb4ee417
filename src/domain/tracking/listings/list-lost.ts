import { isAbsent } from '../drift/field-reading.ts';
import type { ListingFields, ListingNumbers } from './clean-listing.ts';
import { contentFields } from './listing-content.ts';

const numberFields = ['rating', 'ratingCount', 'installs'] as const;

/**
 * The texts that were there before and are absent now. Only the listing's page has a subtitle.
 */
export function listLostTexts(before: ListingFields, after: ListingFields): string[] {
  return contentFields.filter(
    (field) =>
      field !== 'subtitle' && !isAbsent(field, before[field]) && isAbsent(field, after[field]),
  );
}

export function listAbsentNumbers(numbers: ListingNumbers): string[] {
  return numberFields.filter((field) => isAbsent(field, numbers[field]));
}

/** True for two known versions that differ. */
export const isOther = (before: string | null, after: string | null): boolean =>
  before !== null && after !== null && before !== after;
