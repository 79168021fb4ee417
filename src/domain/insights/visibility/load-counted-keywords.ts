import type { Tx } from '#db/database.ts';
import type { DayWindow } from '#domain/base/day-window.ts';
import type { Reader } from '#domain/base/context.ts';
import { marketFilterOf, type MarketFilter } from '#domain/tracking/rankings/followed-keywords.ts';
import { loadVisibleRows } from '#domain/tracking/rankings/load-visible-rows.ts';
import { loadAppSegments } from '#domain/tracking/rankings/provider-series.ts';
import type { VisibleRow } from '#domain/tracking/rankings/visible-rows.ts';
import { loadLiveKeywords, type LiveKeyword } from '#domain/tracking/serps/live-keywords.ts';
import { findSameKeywords } from './find-same-keywords.ts';
import { keywordWeights } from './visibility-index.ts';

export interface VisibilityFilter extends MarketFilter {
  keywords?: 'all' | 'same' | undefined;
}

interface TrackedKeyword {
  keyword: LiveKeyword;
  row: VisibleRow;
}

export interface CountedKeyword extends TrackedKeyword {
  weight: number;
}

export interface CountedKeywords {
  /** All keywords of the filter, with their ranks in the window. */
  tracked: TrackedKeyword[];
  counted: CountedKeyword[];
  inputs: {
    weighting: 'traffic' | 'equal';
    keywords: number;
    tracked: number;
    scored: number;
  };
  segments: Awaited<ReturnType<typeof loadAppSegments>>;
}

/** The keywords that a visibility counts, with today's weights. Throws not_found. */
export async function loadCountedKeywords(
  tx: Tx,
  ctx: Reader,
  appId: number,
  { window, filter }: { window: DayWindow; filter: VisibilityFilter },
): Promise<CountedKeywords> {
  const { app, keywords } = await loadLiveKeywords(tx, ctx, appId, marketFilterOf(filter));
  const followed = keywords.map((keyword) => ({ ...keyword, listingId: app.listingId }));
  const rows = await loadVisibleRows(tx, window, followed);
  const tracked = keywords.map((keyword, index) => ({ keyword, row: rows[index]! }));
  const chosen = filter.keywords === 'same' ? findSameKeywords(tracked) : tracked;
  const traffic = chosen.map(({ keyword }) => keyword.traffic);
  const weights = keywordWeights(traffic);
  const scored = traffic.filter((score) => score !== null).length;
  return {
    tracked,
    counted: chosen.map((one, index) => ({ ...one, weight: weights[index]! })),
    inputs: {
      weighting: scored > 0 ? 'traffic' : 'equal',
      keywords: chosen.length,
      tracked: tracked.length,
      scored,
    },
    segments: await loadAppSegments(tx, appId, window),
  };
}
