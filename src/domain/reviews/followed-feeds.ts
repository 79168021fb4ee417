import type { Tx } from '../../db/database.ts';
import { listFollowedFeeds, type FollowedFeedRow } from '../../db/queries/reviews.ts';
import { utcDayOf, type UtcDay } from '../../lib/dates.ts';
import type { Ctx } from '../context.ts';
import type { StoreName } from '../ports.ts';

export interface FollowedFeeds {
  appId: number;
  listingId: number;
  feeds: FollowedFeedRow[];
}

/** As many reviews as a first reading finds at most: ten pages of each store's size. */
const firstReading: Record<StoreName, number> = { ios: 500, android: 1_500 };

/**
 * The storefronts in which this workspace follows an app: the app's own country and those of its keywords. What was read
 * for others before is shown only as far as a first reading would have found it, once there was one.
 */
export async function readFollowedFeeds(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId'>,
  app: { id: number; listingId: number; store: StoreName },
  country?: string,
): Promise<FollowedFeeds> {
  const feeds = await listFollowedFeeds(tx, ctx.workspaceId, {
    appId: app.id,
    window: firstReading[app.store],
  });
  return {
    appId: app.id,
    listingId: app.listingId,
    feeds: feeds.filter((feed) => country === undefined || feed.country === country),
  };
}

/** Nothing older is known of the feed; null: everything the store had is. Only of a feed that was read. */
export function knownFromOf({ knownFrom, shownFrom }: FollowedFeedRow): Date | null {
  if (knownFrom === null || shownFrom === null) return knownFrom ?? shownFrom;
  return knownFrom > shownFrom ? knownFrom : shownFrom;
}

/** Every feed was read for that day: what is not there was not written. */
export function isKnownDay(feeds: readonly FollowedFeedRow[], day: UtcDay): boolean {
  return (
    feeds.length > 0 &&
    feeds.every((feed) => {
      const from = knownFromOf(feed);
      return (
        feed.syncedAt !== null &&
        day <= utcDayOf(feed.syncedAt) &&
        (from === null || day > utcDayOf(from))
      );
    })
  );
}
