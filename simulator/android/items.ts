import type { SimListing } from '../world/listing.ts';
import { installsBucket } from './buckets.ts';
import { iconOf } from '../world/artwork.ts';
import { imageAddress } from './artwork.ts';
import { link, picture, sparse } from './sparse.ts';

/** An app in the layout of the first page of a search (recorded 2026-07). */
export function toSearchItem(listing: SimListing): unknown[] {
  const { app } = listing;
  const id = app.storeAppId;
  return [
    sparse({
      0: [id, 7],
      1: picture(imageAddress(iconOf(listing.app)), [512, 512]),
      3: listing.title,
      4: listing.rating === null ? [] : scorePair(listing.rating),
      5: listing.category,
      8: [
        null,
        [[listing.priceCents * 10_000, listing.currency, priceText(listing)]],
        null,
        [null, 'Buy'],
        null,
        1,
      ],
      9: [],
      10: link(`/store/apps/details?id=${id}`),
      13: [null, listing.subtitle],
      14: app.developer,
      15: installsBucket(listing.installs).text,
      17: '',
    }),
  ];
}

/** An app in the layout of later pages, which is a different one. */
export function toClusterItem(listing: SimListing): unknown[] {
  const { app } = listing;
  const id = app.storeAppId;
  const developer = [app.developer, link(developerPath(listing))];
  return sparse({
    1: [null, [picture(imageAddress(iconOf(listing.app)), [512, 512])]],
    2: listing.title,
    4: [[developer], [null, [null, [null, listing.subtitle]]]],
    6: listing.rating === null ? null : [[null, null, [null, scorePair(listing.rating)]]],
    7:
      listing.priceCents === 0
        ? null
        : [
            [
              null,
              null,
              null,
              [
                null,
                null,
                [null, [[listing.priceCents * 10_000, listing.currency, priceText(listing)]]],
              ],
            ],
          ],
    9: link(`/store/apps/details?id=${id}`),
    12: [id, 7],
  });
}

export function developerPath(listing: SimListing): string {
  return `/store/apps/dev?id=${listing.app.developerId}`;
}

export function scorePair(rating: number): [string, number] {
  return [rating.toFixed(1), rating];
}

export function priceText(listing: SimListing): string {
  return listing.priceCents === 0 ? '' : `$${(listing.priceCents / 100).toFixed(2)}`;
}
