import type { SimListing } from '../world/listing.ts';
import { iconOf, screenshotsOf } from '../world/artwork.ts';
import { imageAddress } from './artwork.ts';
import { categoryOf } from './categories.ts';
import { groupDigits, installsBucket } from './buckets.ts';
import { developerPath, priceText, scorePair } from './items.ts';
import { link, picture, sparse } from './sparse.ts';
import { subjects } from '../world/words.ts';

/**
 * The record at `[1][2]` of the details response, also part of a search's featured match (recorded
 * 2026-07).
 */
export function toDetailsRecord(listing: SimListing): unknown[] {
  const { app } = listing;
  const id = app.storeAppId;
  const bucket = installsBucket(listing.installs);
  const category = categoryOf(subjects[app.subject]!.name);
  return sparse({
    0: [listing.title],
    9: ['Everyone', null, null, null, null, 0, [null, 'Suitable for all ages.']],
    10: [longDate(app.releasedOn), [app.releasedOn * 86_400]],
    13: [bucket.text, bucket.floor, listing.installs, bucket.short],
    18: [2],
    19: app.seed % 3 === 0 ? ['$0.99 - $49.99 per item', [0]] : null,
    42: [1, 1, 0],
    48: app.seed % 2 === 0 ? ['Contains ads'] : null,
    51: ratingFacts(listing),
    57: [
      [
        [
          [
            [
              null,
              [[listing.priceCents * 10_000, listing.currency, priceText(listing)]],
              null,
              [null, 'Buy'],
              null,
              1,
            ],
          ],
        ],
      ],
    ],
    68: [app.developer, link(developerPath(listing)), app.developerId],
    69: [
      sparse({ 5: [null, null, `https://${app.bundleId}.example/`] }),
      [`hello@${app.bundleId}.example`],
    ],
    72: [[null, listing.description.replace(/\n/g, '<br>')]],
    73: [[null, listing.subtitle]],
    77: [id],
    78: [screenshotsOf(listing).map((name) => picture(imageAddress(name), [2796, 1290]))],
    79: [[[listing.category, link(`/store/apps/category/${category.id}`), category.id]]],
    95: [picture(imageAddress(iconOf(app)), [512, 512]), 1],
    96: [picture(imageAddress(`screenshot-${id}-0-0`), [500, 1024])],
    99: [sparse({ 5: [null, null, `https://${app.bundleId}.example/privacy`] })],
    118: [],
    140: [[[listing.version]], [[[26, '8.0']], [[[26, '8.0']]]]],
    144: [null, [null, listing.releaseNotes]],
    145: [[longDate(listing.updatedOn), [listing.updatedOn * 86_400 + 28_800, 0]]],
  });
}

/**
 * Rating, histogram from one star at index 1, number of ratings and of reviews; null for a new app.
 */
function ratingFacts(listing: SimListing): unknown[] | null {
  const { rating, ratingCount, histogram } = listing;
  if (rating === null || ratingCount === null) return null;
  const counted = (count: number) => [groupDigits(BigInt(count)), count];
  const stars = [...histogram].reverse().map(counted);
  return [
    scorePair(rating),
    [null, ...stars],
    counted(ratingCount),
    counted(Math.floor(ratingCount / 40)),
    null,
    [null, []],
  ];
}

const months = 'Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec'.split(',');

function longDate(day: number): string {
  const date = new Date(day * 86_400_000);
  return `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}
