import { listListingDays, type ListingDayRow } from '#db/queries/exports/exported-listing-days.ts';
import { addDays, maxDay, type UtcDay } from '#lib/dates.ts';
import { inTenant } from '#domain/base/context.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { toStoredRating } from '#domain/tracking/listings/clean-listing.ts';
import { toPrice } from '#domain/tracking/listings/listing-content.ts';
import { sourceOf, type Columns, type ExportScope } from '../export-source.ts';

interface ListingDayItem {
  date: UtcDay;
  competitorId: number | null;
  listing: { store: StoreName; storeAppId: string; name: string | null };
  country: string;
  rating: number | null;
  ratingCount: number | null;
  /** Counts of 1 to 5 stars; null when the page was not read or shows none. */
  histogram: number[] | null;
  /** The listing's page; null when it was not read. */
  page: { rating: number | null; ratingCount: number | null } | null;
  installs: bigint | null;
  price: number | null;
  /** Null: only the listing's page was read. */
  readAt: string | null;
}

const daysPerPage = 30;

const columns: Columns<ListingDayItem> = {
  date: (item) => item.date,
  store: (item) => item.listing.store,
  storeAppId: (item) => item.listing.storeAppId,
  name: (item) => item.listing.name,
  competitorId: (item) => item.competitorId,
  country: (item) => item.country,
  rating: (item) => item.rating,
  ratingCount: (item) => item.ratingCount,
  pageRating: (item) => item.page?.rating ?? null,
  pageRatingCount: (item) => item.page?.ratingCount ?? null,
  stars1: (item) => item.histogram?.[0] ?? null,
  stars2: (item) => item.histogram?.[1] ?? null,
  stars3: (item) => item.histogram?.[2] ?? null,
  stars4: (item) => item.histogram?.[3] ?? null,
  stars5: (item) => item.histogram?.[4] ?? null,
  installs: (item) => item.installs,
  price: (item) => item.price,
  readAt: (item) => item.readAt,
};

/** The numbers of the app and its competitors by day and country, newest day first. */
async function* readPages({ ctx, app, from, to }: ExportScope): AsyncGenerator<ListingDayItem[]> {
  for (let last = to; last >= from; last = addDays(last, -daysPerPage)) {
    const range = { appId: app.id, from: maxDay(from, addDays(last, 1 - daysPerPage)), to: last };
    const rows = await inTenant(ctx, (tx) => listListingDays(tx, ctx.workspaceId, range));
    yield rows.map(toItem);
  }
}

function toItem(row: ListingDayRow): ListingDayItem {
  const { date, competitorId, store, storeAppId, name, country } = row;
  return {
    date,
    competitorId,
    listing: { store, storeAppId, name },
    country,
    rating: toStoredRating(row.rating),
    ratingCount: row.ratingCount,
    histogram: row.histogram,
    page: row.hasPage
      ? { rating: toStoredRating(row.pageRating), ratingCount: row.pageRatingCount }
      : null,
    installs: row.installs,
    price: toPrice(row.priceMicros),
    readAt: row.readAt?.toISOString() ?? null,
  };
}

export const listingDays = sourceOf<ListingDayItem>({ columns, hasDays: true, pages: readPages });
