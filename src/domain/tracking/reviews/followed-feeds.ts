import type { Tx } from '#db/database.ts';
import { listFollowedFeeds, type FollowedFeedRow } from '#db/queries/reviews/reviews.ts';
import { addDays, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { maxReviewPages } from '#stores/profiles.ts';
import type { Ctx } from '#domain/base/context.ts';
import { profileOf, type StoreName } from '#domain/base/ports.ts';

export interface FollowedFeeds {
  appId: number;
  listingId: number;
  feeds: FollowedFeedRow[];
}

/**
 * The storefronts in which this workspace tracks an app: the app's own country and those of its
 * keywords. Reviews that were read earlier for other workspaces are shown only as far as a first
 * reading would have found them.
 */
export async function loadFollowedFeeds(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId'>,
  app: { id: number; listingId: number; store: StoreName },
  country?: string,
): Promise<FollowedFeeds> {
  const feeds = await listFollowedFeeds(tx, ctx.workspaceId, {
    appId: app.id,
    window: maxReviewPages * profileOf(app.store).reviewsPerPage,
  });
  return {
    appId: app.id,
    listingId: app.listingId,
    feeds: feeds.filter((feed) => country === undefined || feed.country === country),
  };
}

/**
 * Nothing older than this is known of the feed; null: the store's feed is complete. Only for feeds
 * that were read.
 */
export function knownFromOf({ knownFrom, shownFrom }: FollowedFeedRow): Date | null {
  if (knownFrom === null || shownFrom === null) return knownFrom ?? shownFrom;
  return knownFrom > shownFrom ? knownFrom : shownFrom;
}

/** True when every feed was read after the day, so that missing reviews do not exist. */
export function isKnownDay(feeds: readonly FollowedFeedRow[], day: UtcDay): boolean {
  return isRead(feeds, day, addDays(day, 1));
}

/** Also true for a day that was read while it lasted, so that more reviews may follow. */
export function isReadDay(feeds: readonly FollowedFeedRow[], day: UtcDay): boolean {
  return isRead(feeds, day, day);
}

/** True when every feed reaches back to the day and was read on `since` or later. */
function isRead(feeds: readonly FollowedFeedRow[], day: UtcDay, since: UtcDay): boolean {
  return (
    feeds.length > 0 &&
    feeds.every((feed) => {
      const from = knownFromOf(feed);
      return (
        feed.syncedAt !== null &&
        utcDayOf(feed.syncedAt) >= since &&
        (from === null || day > utcDayOf(from))
      );
    })
  );
}
