import { listSerps } from '../../../db/queries/exports.ts';
import type { SerpListing } from '../../../db/queries/serps.ts';
import { addDays, type UtcDay } from '../../../lib/dates.ts';
import { inTenant } from '../../context.ts';
import { listFollowed, type Followed } from '../../rankings/followed.ts';
import { termDepthOn } from '../../rankings/terms.ts';
import {
  cutToDepth,
  readListings,
  toSerpItem,
  type KeptSerp,
  type SerpItem,
} from '../../serps/kept-serp.ts';
import { sourceOf, type Columns, type ExportScope } from '../export-source.ts';

type SerpPlace = {
  date: UtcDay;
  keywordId: number;
  phrase: string;
  country: string;
  depth: number;
  resultCount: number;
} & SerpItem;

const daysPerPage = 30;

const columns: Columns<SerpPlace> = {
  date: (item) => item.date,
  keywordId: (item) => item.keywordId,
  phrase: (item) => item.phrase,
  country: (item) => item.country,
  position: (item) => item.position,
  depth: (item) => item.depth,
  resultCount: (item) => item.resultCount,
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

/** The kept places by keyword, newest day first, as deep as the keyword was followed that day. */
async function* readPages(scope: ExportScope): AsyncGenerator<SerpPlace[]> {
  const { ctx, app } = scope;
  for (const keyword of await inTenant(ctx, (tx) => listFollowed(tx, ctx, app.id, {})))
    yield* readOfKeyword(scope, keyword);
}

async function* readOfKeyword(
  { ctx, app, from, to }: ExportScope,
  keyword: Followed,
): AsyncGenerator<SerpPlace[]> {
  for (let last = to; last >= from;) {
    const until = last;
    const page = await inTenant(ctx, async (tx) => {
      const rows = await listSerps(tx, {
        marketId: keyword.marketId,
        from,
        to: until,
        limit: daysPerPage,
      });
      const kept = rows.flatMap((row) => {
        const followed = termDepthOn(keyword.terms, row.date);
        return followed ? [cutToDepth(row, followed)] : [];
      });
      const listings = await readListings(
        tx,
        ctx,
        kept.flatMap((serp) => serp.listingIds),
        app.id,
      );
      return { kept, listings, oldest: rows.length < daysPerPage ? null : rows.at(-1)!.date };
    });
    yield page.kept.flatMap((serp) => toPlaces(serp, keyword, page.listings));
    if (page.oldest === null) return;
    last = addDays(page.oldest, -1);
  }
}

function toPlaces(
  { date, depth, resultCount, listingIds, strengths }: KeptSerp,
  keyword: Followed,
  listings: Map<number, SerpListing>,
): SerpPlace[] {
  const { id: keywordId, phrase, country } = keyword;
  return listingIds.flatMap((id, index) => {
    const listing = listings.get(id);
    return listing
      ? [
          {
            date,
            keywordId,
            phrase,
            country,
            depth,
            resultCount,
            ...toSerpItem(listing, index + 1, strengths[index]),
          },
        ]
      : [];
  });
}

export const serps = sourceOf<SerpPlace>({ columns, hasDays: true, pages: readPages });
