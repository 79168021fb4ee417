import { hash } from 'node:crypto';
import { cardVotesMask } from '#db/queries/listings/listings.ts';
import type { AppCard } from '#domain/base/ports.ts';
import type { ListingFields, ListingNumbers } from './clean-listing.ts';

export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

/**
 * The fields of a snapshot, in the order in which changes are reported. Addresses and ids derive
 * from these.
 */
export const contentFields = [
  'name',
  'subtitle',
  'summary',
  'description',
  'developer',
  'iconUrl',
  'screenshotUrls',
  'category',
  'priceMicros',
  'currency',
  'version',
  'releaseNotes',
  'releasedAt',
  'updatedAt',
  'contentRating',
  'sizeBytes',
  'minimumOsVersion',
  'languages',
  'inAppPurchases',
] as const satisfies (keyof ListingFields)[];

type ContentField = (typeof contentFields)[number];

/** SHA-256 of a listing's identity; equal for two readings between which nothing changed. */
export function hashContent(fields: ListingFields): Buffer {
  const content = contentFields.map((field) => [field, toIdentity(field, fields)]);
  return hash('sha256', JSON.stringify(content), 'buffer');
}

/** 32 bits of a card for a cheap comparison (`isSameCard`); a new vote does not change it. */
export function hashCard(card: AppCard): number {
  const { bundleId, name, developer, iconUrl, rating, ratingCount } = card;
  const rest =
    hashNumber([
      bundleId,
      name,
      developer,
      iconUrl && toImageIdentity(iconUrl),
      rating?.toFixed(1),
    ]) & ~cardVotesMask;
  return ratingCount === null
    ? rest
    : rest | (1 + (Math.abs(hashNumber(ratingCount.toPrecision(2))) % cardVotesMask));
}

/** A card without votes equals one with them. */
export function isSameCard(kept: number | null, read: number): boolean {
  const compared = (read & cardVotesMask) === 0 ? ~cardVotesMask : -1;
  return kept !== null && ((kept ^ read) & compared) === 0;
}

function hashNumber(value: unknown): number {
  return hash('sha256', JSON.stringify(value), 'buffer').readInt32BE(0);
}

/** Field by field, under the names of the API. */
export function diffListings(
  before: ListingFields & ListingNumbers,
  after: ListingFields & ListingNumbers,
): FieldChange[] {
  const content = contentFields
    .filter(
      (field) =>
        JSON.stringify(toIdentity(field, before)) !== JSON.stringify(toIdentity(field, after)),
    )
    .map((field) =>
      field === 'priceMicros'
        ? { field: 'price', before: toPrice(before.priceMicros), after: toPrice(after.priceMicros) }
        : { field, before: before[field], after: after[field] },
    );
  const counted = (['rating', 'ratingCount', 'installs'] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, before: before[field], after: after[field] }));
  return [...content, ...counted];
}

export function toPrice(priceMicros: number | null): number | null {
  return priceMicros === null ? null : priceMicros / 1e6;
}

function toIdentity(field: ContentField, fields: ListingFields): unknown {
  switch (field) {
    case 'iconUrl':
      return fields.iconUrl && toImageIdentity(fields.iconUrl);
    case 'screenshotUrls':
      return fields.screenshotUrls.map(toImageIdentity);
    case 'languages':
      return fields.languages.toSorted();
    case 'sizeBytes':
      return fields.sizeBytes === null ? null : String(fields.sizeBytes);
    default:
      return fields[field];
  }
}

/**
 * Both stores serve one image from alternating hosts (is1-ssl … is5-ssl) and in any size, which
 * ends the address (`/512x512bb.jpg`, `=s180-rw`). The path before it identifies the image.
 */
function toImageIdentity(url: string): string {
  return new URL(url).pathname
    .replace(/=[a-z0-9-]{1,40}$/i, '')
    .replace(/\/\d{1,5}x\d{1,5}[a-z0-9-]{0,20}\.[a-z]{3,4}$/i, '');
}
