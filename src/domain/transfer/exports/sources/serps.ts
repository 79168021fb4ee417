import { listSerpHistory, type KeptSerp } from '#db/queries/serp-chains/kept-serps.ts';
import { listSerpDays, type SerpListing } from '#db/queries/serps/serps.ts';
import type { UtcDay } from '#lib/dates.ts';
import { inTenant } from '#domain/base/context.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { loadRatings, type RatingsOn } from '#domain/tracking/listings/storefront-ratings.ts';
import { listFollowed, type Followed } from '#domain/tracking/rankings/followed-keywords.ts';
import { trackedDepthOn } from '#domain/tracking/rankings/tracking-periods.ts';
import {
  cutToDepth,
  readListings,
  toSerpItem,
  type StoredSerp,
  type SerpItem,
} from '#domain/tracking/serps/stored-serp.ts';
import { chunk, sourceOf, type Columns, type ExportScope } from '../export-source.ts';

type SerpPosition = {
  date: UtcDay;
  keywordId: number;
  phrase: string;
  country: string;
  device: string;
  depth: number;
  resultCount: number;
  provider: string;
  /** Ads right before the result; null where the provider shows none. */
  adsBefore: number | null;
  /** Why the results end here. */
  ended: KeptSerp['ended'];
  language: string | null;
} & SerpItem;

const daysPerPage = 30;

const columns: Columns<SerpPosition> = {
  date: (item) => item.date,
  keywordId: (item) => item.keywordId,
  phrase: (item) => item.phrase,
  country: (item) => item.country,
  device: (item) => item.device,
  position: (item) => item.position,
  depth: (item) => item.depth,
  resultCount: (item) => item.resultCount,
  provider: (item) => item.provider,
  adsBefore: (item) => item.adsBefore,
  ended: (item) => item.ended,
  language: (item) => item.language,
  storeAppId: (item) => item.storeAppId,
  name: (item) => item.name,
  developer: (item) => item.developer,
  rating: (item) => item.rating,
  ratingCount: (item) => item.ratingCount,
  iconUrl: (item) => item.iconUrl,
  appId: (item) => item.appId,
  isOwn: (item) => item.isOwn,
  isCompetitor: (item) => item.isCompetitor,
};

/** The stored results by keyword, newest day first, to the tracked depth of that day. */
async function* readPages(scope: ExportScope): AsyncGenerator<SerpPosition[]> {
  const { ctx, app, withArchived } = scope;
  const keywords = await inTenant(ctx, (tx) => listFollowed(tx, ctx, app.id, { withArchived }));
  for (const keyword of keywords) yield* readOfKeyword(scope, keyword);
}

async function* readOfKeyword(
  { ctx, app, from, to }: ExportScope,
  keyword: Followed,
): AsyncGenerator<SerpPosition[]> {
  const { marketId, trackingPeriods, country } = keyword;
  const days = await inTenant(ctx, (tx) => listSerpDays(tx, { marketId, from, to }));
  for (const part of chunk(days, daysPerPage)) {
    const page = await inTenant(ctx, async (tx) => {
      const rows = await listSerpHistory(tx, {
        marketIds: [marketId],
        from: part.at(-1)!.date,
        to: part[0]!.date,
      });
      const kept = rows.toReversed().flatMap((row) => {
        const followed = trackedDepthOn(trackingPeriods, row.date);
        return followed ? [toExported(app.store, row, followed)] : [];
      });
      const ids = [...new Set(kept.flatMap((serp) => serp.listingIds))];
      const listings = await readListings(tx, ctx, ids, { appId: app.id, countries: [country] });
      const range = { from: part.at(-1)!.date, to: part[0]!.date };
      const inCountry = ids.map((id) => ({ id, country }));
      return { kept, listings, ratingsOn: await loadRatings(tx, inCountry, range) };
    });
    yield page.kept.flatMap((serp) => toPositions(serp, keyword, page));
  }
}

type ExportedSerp = StoredSerp & Pick<SerpPosition, 'ended' | 'language'>;

/** Results that go on beyond the tracked depth end with it. */
function toExported(store: StoreName, row: KeptSerp, followed: number): ExportedSerp {
  const ended = row.resultCount > followed ? 'depth' : row.ended;
  return { ...cutToDepth(store, row, followed), ended, language: row.language };
}

function toPositions(
  serp: ExportedSerp,
  keyword: Followed,
  { listings, ratingsOn }: { listings: Map<number, SerpListing>; ratingsOn: RatingsOn },
): SerpPosition[] {
  const { id: keywordId, phrase, country, device } = keyword;
  const { date, depth, resultCount, provider, ads, ended, language, listingIds, strengths } = serp;
  return listingIds.flatMap((id, index) => {
    const listing = listings.get(id);
    const ratings = strengths[index] ?? ratingsOn({ id, country }, date);
    return listing
      ? [
          {
            date,
            keywordId,
            phrase,
            country,
            device,
            depth,
            resultCount,
            provider,
            adsBefore: ads && ads.filter((position) => position === index + 1).length,
            ended,
            language,
            ...toSerpItem(listing, index + 1, ratings),
          },
        ]
      : [];
  });
}

export const serps = sourceOf<SerpPosition>({ columns, hasDays: true, pages: readPages });
