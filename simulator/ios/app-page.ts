import { startOfDayMs } from '#lib/dates.ts';
import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { languageOf } from '../world/countries.ts';
import type { SimListing } from '../world/listing.ts';
import { reviewsOf, type SimReview } from '../world/reviews.ts';
import { iconOf } from '../world/artwork.ts';
import { imageAddress } from './artwork.ts';
import { slug } from './card.ts';

/**
 * `GET https://apps.apple.com/{cc}/app/[slug/]id{id}`: subtitle, histogram, version and similar
 * apps.
 */
export function handleAppPage(context: ResponseContext): SimulatedResponse {
  const match = /^\/([a-z]{2})\/app\/(?:[^/]+\/)?id(\d{1,19})$/.exec(context.url.pathname);
  const [, country = '', id = ''] = match ?? [];
  const app = match ? context.world.findApp('ios', id, country, context.day) : null;
  if (app === null || context.isGone(id))
    return respond(404, 'html', '<!DOCTYPE html><html><body>Page not found</body></html>');
  const storefront = { country, language: languageOf(country), day: context.day };
  const listing = context.world.listing(app, storefront);
  const similar = context.world
    .similar(app, country, context.day)
    .map((other) => context.world.listing(other, storefront));
  const page = toPage(listing, similar, context, storefront);
  const json = JSON.stringify({ data: [page], userTokenHash: '' }).replace(/</g, '\\u003c');
  const links = similar.map(
    (other) =>
      '<a ' +
      `href="https://apps.apple.com/${country}/app/${slug(other.title)}/id${other.app.storeAppId}"></a>`,
  );
  return respond(
    200,
    'html',
    [
      '<!DOCTYPE html><html ' +
        `lang="${storefront.language}"><head><title>${escapeHtml(listing.title)}</title></head><body>`,
      `<main>${links.join('')}</main>`,
      `<script type="application/json" id="serialized-server-data">${json}</script></body></html>`,
    ].join('\n'),
  );
}

function toPage(
  listing: SimListing,
  similar: readonly SimListing[],
  context: ResponseContext,
  storefront: { country: string; language: string },
): Record<string, unknown> {
  const { app } = listing;
  const reviews = reviewsOf(
    context.world,
    app,
    storefront.country,
    new Date(startOfDayMs(context.day)),
    8,
  );
  const shelves = {
    ...listShelves(listing, similar),
    userProductReviews: toReviewShelf(reviews),
  };
  const data = {
    $kind: 'ShelfBasedProductPage',
    title: listing.title,
    canonicalURL: `https://apps.apple.com/${storefront.country}/app/${slug(listing.title)}/id${app.storeAppId}`,
    externalVersionIdentifier: 880_000_000 + listing.updatedOn,
    lockup: toLockup(listing),
    [context.mutation === 'index-moved' ? 'shelves' : 'shelfMapping']: shelves,
  };
  const intent = {
    storefront: storefront.country,
    language: storefront.language,
    isDefaultLanguage: true,
    $kind: 'ProductPageIntent',
    id: app.storeAppId,
  };
  return { intent, [context.mutation === 'rpc-renamed' ? 'content' : 'data']: data };
}

export function toLockup(listing: SimListing): Record<string, unknown> {
  const { app } = listing;
  return {
    $kind: 'Lockup',
    adamId: app.storeAppId,
    bundleId: app.bundleId,
    icon: {
      $kind: 'Artwork',
      template: imageAddress(iconOf(app), '{w}x{h}{c}.{f}'),
      width: 1024,
      height: 1024,
    },
    title: listing.title,
    // Without a subtitle the store shows the genre instead.
    subtitle: listing.subtitle || listing.category,
    developerTagline: listing.subtitle || null,
    rating: listing.rating === null ? 0 : Math.round(listing.rating * 10) / 10,
  };
}

/** Some shelves are null, as on the real page; clients must not map over all of them. */
function listShelves(listing: SimListing, similar: readonly SimListing[]): Record<string, unknown> {
  const shelf = (contentType: string, items: unknown[]) => ({
    $kind: 'Shelf',
    contentType,
    items,
    title: null,
  });
  const badge = (key: string, content: unknown, caption: string) => ({
    $kind: 'Badge',
    type: key,
    key,
    content,
    caption,
  });
  const { app, rating, ratingCount } = listing;
  return {
    topLockup: shelf('marker', []),
    textCards: null,
    textLinksShelf: null,
    description: shelf('productDescription', [
      { $kind: 'ProductDescription', paragraph: { $kind: 'Paragraph', text: listing.description } },
    ]),
    informationRibbon: shelf('productBadge', [
      ...(rating === null
        ? []
        : [
            badge(
              'rating',
              { rating, ratingFormatted: rating.toFixed(1) },
              `${ratingCount} Ratings`,
            ),
          ]),
      badge('contentRating', { contentRating: '4+' }, 'Years Old'),
      badge('category', {}, listing.category),
      badge('developer', {}, app.developer),
    ]),
    productRatings:
      rating === null
        ? null
        : shelf('productRatings', [
            {
              $kind: 'Ratings',
              productId: app.storeAppId,
              ratingAverage: Math.round(rating * 10) / 10,
              totalNumberOfRatings: ratingCount,
              context: 'productPage',
              ratingCounts: listing.histogram,
            },
          ]),
    mostRecentVersion: shelf('titledParagraph', [
      {
        $kind: 'TitledParagraph',
        text: listing.releaseNotes,
        primarySubtitle: `Version ${listing.version}`,
        secondarySubtitle: scriptDate(listing.updatedOn),
      },
    ]),
    information: shelf('annotation', [
      {
        $kind: 'Annotation',
        title: 'Seller',
        items: [{ $kind: 'AnnotationItem', text: app.developer }],
      },
      {
        $kind: 'Annotation',
        title: 'Category',
        items: [{ $kind: 'AnnotationItem', text: listing.category }],
      },
    ]),
    similarItems: shelf(
      'smallLockup',
      similar.map((other) => toLockup(other)),
    ),
  };
}

/** The eight newest reviews as of yesterday, because the page is written once a day. */
function toReviewShelf(reviews: readonly SimReview[]): Record<string, unknown> | null {
  if (reviews.length === 0) return null;
  const items = reviews.map(({ storeReviewId, title, body, rating, author, at }) => {
    const review = {
      $kind: 'Review',
      id: storeReviewId,
      title,
      contents: body,
      rating,
      reviewerName: author,
      date: at.toISOString(),
    };
    return { $kind: 'ProductReview', sourceType: 'User', review };
  });
  return { $kind: 'Shelf', contentType: 'productReview', items, title: null };
}

/** `Tue May 19 2026 08:00:00 GMT+0000 (Coordinated Universal Time)`, like `Date.toString()`. */
function scriptDate(day: number): string {
  const [week = '', date, month, year] = new Date(day * 86_400_000).toUTCString().split(' ');
  return (
    `${week.slice(0, 3)} ${month} ${date} ${year} 08:00:00 GMT+0000 (Coordinated Universal ` +
    'Time)'
  );
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
