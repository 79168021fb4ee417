import type { Tx } from '#db/database.ts';
import { listFollowedFeeds, type FollowedFeed } from '#db/queries/reviews/followed-feeds.ts';
import { addDays, startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { maxReviewPages } from '#stores/profiles.ts';
import type { Ctx } from '#domain/base/context.ts';
import { profileOf, type StoreName } from '#domain/base/ports.ts';

export interface FollowedFeeds {
  appId: number;
  listingId: number;
  feeds: FollowedFeed[];
}

/**
 * The storefronts in which this workspace tracks an app: the app's own country and those of its
 * keywords, in the spans in which it does. Reviews that were read for other workspaces before a
 * span are shown only as far as its first reading would have found them.
 */
export async function loadFollowedFeeds(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId'>,
  app: { id: number; listingId: number; store: StoreName },
  country?: string,
): Promise<FollowedFeeds> {
  const { reviewsPerPage, sharesReviews = false } = profileOf(app.store);
  const feeds = await listFollowedFeeds(tx, ctx.workspaceId, {
    appId: app.id,
    window: maxReviewPages * reviewsPerPage,
    isShared: sharesReviews,
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
export function knownFromOf({ knownFrom, spans }: FollowedFeed): Date | null {
  return laterOf(knownFrom, spans[0]?.shownFrom ?? null);
}

function laterOf(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

/** `knownFromOf` for a day: one between two spans is known as far as the later one reaches back. */
function knownFromOn(feed: FollowedFeed, day: UtcDay): Date | null {
  const endMs = startOfDayMs(addDays(day, 1));
  const next = feed.spans.find(({ until }) => until === null || until.getTime() >= endMs);
  const isBetween = next !== undefined && next.since.getTime() >= endMs;
  return isBetween ? laterOf(knownFromOf(feed), next.shownFrom) : knownFromOf(feed);
}

/**
 * True when every feed that had not ended was read after the day, so that missing reviews do not
 * exist.
 */
export function isKnownDay(feeds: readonly FollowedFeed[], day: UtcDay): boolean {
  return isRead(feeds, day, addDays(day, 1));
}

/** Also true for a day that was read while it lasted, so that more reviews may follow. */
export function isReadDay(feeds: readonly FollowedFeed[], day: UtcDay): boolean {
  return isRead(feeds, day, day);
}

/** True when each of these feeds reaches back to the day and was read on `since` or later. */
function isRead(feeds: readonly FollowedFeed[], day: UtcDay, since: UtcDay): boolean {
  const followed = feeds.filter((feed) => !hasEnded(feed, day));
  return (
    followed.length > 0 &&
    followed.every((feed) => {
      const from = knownFromOn(feed, day);
      return (
        feed.syncedAt !== null &&
        utcDayOf(feed.syncedAt) >= since &&
        (from === null || day > utcDayOf(from))
      );
    })
  );
}

/** True when its spans were over before the day was. Those without a reading do not count. */
function hasEnded({ spans }: FollowedFeed, day: UtcDay): boolean {
  const endMs = startOfDayMs(addDays(day, 1));
  return spans.every(
    ({ until, isRead: wasRead }) => until !== null && (!wasRead || until.getTime() < endMs),
  );
}
