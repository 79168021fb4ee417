import {
  listSeenReviews,
  listUnjudgedFeeds,
  lockAlerts,
  markFeedsJudged,
  type SeenReviewRow,
  type UnjudgedFeedRow,
  type UntoldFeed,
} from '../../db/queries/alert-facts.ts';
import type { Tx } from '../../db/database.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { inSystem, type Services } from '../context.ts';
import { emitEvents, type NewEvent } from '../events/emit.ts';
import type { AlertOf } from './alert.ts';
import { readRules } from './read-rules.ts';
import { findRule, type WholeRule, type RuleOf } from './rules.ts';
import { toEvents } from './tell-alerts.ts';

const feedsAtOnce = 200;
/** More low reviews than these, untold, in one reading are a flood that nobody reads one by one. */
export const reviewsMax = 1_000;
const dayMs = 86_400_000;

/**
 * Turns reviews of storefronts that were read since the last time into events. A day is looked at again that was judged
 * before, for pages that were written late; a review is told once all the same. Returns how many storefronts it was.
 */
export function judgeReviews(services: Services): Promise<number> {
  return inSystem(services, async (tx) => {
    if (!(await lockAlerts(tx, 'reviews'))) return 0;
    const feeds = await listUnjudgedFeeds(tx, feedsAtOnce);
    if (feeds.length === 0) return 0;
    const events: NewEvent[] = [];
    for (const [workspaceId, ofWorkspace] of Map.groupBy(feeds, (feed) => feed.workspaceId)) {
      const rules = await readRules(tx, workspaceId);
      const alerts = await readReviewAlerts(tx, workspaceId, {
        rules,
        ...spanOf(ofWorkspace, services.clock.now()),
      });
      events.push(...(await toEvents(tx, services, workspaceId, alerts)));
    }
    await emitEvents(tx, services, events);
    await markFeedsJudged(tx, feeds);
    return feeds.length;
  });
}

function spanOf(
  feeds: readonly UnjudgedFeedRow[],
  now: Date,
): { from: Date; until: Date; untold: UntoldFeed[] } {
  const untold = feeds.map(({ appId, country, judgedTo, syncedAt }) => {
    // A storefront that was never judged may have been followed for as long as its reviews may be old.
    const startMs = judgedTo?.getTime() ?? syncedAt.getTime() - 7 * dayMs;
    return { appId, country, from: new Date(startMs - dayMs) };
  });
  return {
    from: new Date(Math.min(...untold.map((feed) => feed.from.getTime()))),
    until: new Date(now.getTime() + 1),
    untold,
  };
}

/** What the rules want told of reviews that a workspace first saw in a span of time; what was told is left out of `untold` alone. */
export async function readReviewAlerts(
  tx: Tx,
  workspaceId: number,
  input: { rules: readonly WholeRule[]; from: Date; until: Date; untold?: UntoldFeed[] },
): Promise<AlertOf<'review.negative'>[]> {
  const { rules, ...span } = input;
  const all = rules.filter(
    (rule): rule is RuleOf<'review.negative'> => rule.event === 'review.negative',
  );
  const widest = {
    maxRating: Math.max(...all.map((rule) => rule.maxRating)),
    maxAgeDays: Math.max(...all.map((rule) => rule.maxAgeDays)),
  };
  const rows = await listSeenReviews(tx, workspaceId, { ...span, ...widest, limit: reviewsMax });
  return rows.flatMap((row) => toReviewAlert(row, rules) ?? []);
}

/** Pure. Null where no rule wants it told. */
export function toReviewAlert(
  row: SeenReviewRow,
  rules: readonly WholeRule[],
): AlertOf<'review.negative'> | null {
  const {
    id: reviewId,
    storeReviewId,
    appId,
    tags,
    country,
    rating,
    title,
    body,
    author,
    version,
    datedAt,
    seenAt,
  } = row;
  const rule = findRule(rules, 'review.negative', { appId, tags, traffic: null });
  if (
    !rule ||
    rating > rule.maxRating ||
    seenAt.getTime() - datedAt.getTime() > rule.maxAgeDays * dayMs
  )
    return null;
  return {
    type: 'review.negative',
    // By the store's name of it: an import that brings the event brings what is known of it.
    subject: `${appId}:${country}:${storeReviewId}`,
    date: utcDayOf(seenAt),
    appId,
    data: {
      reviewId,
      storeReviewId,
      country,
      rating,
      title,
      text: body,
      author,
      version,
      writtenAt: datedAt.toISOString(),
    },
    links: { review: `/reviews/${reviewId}` },
    cooldownDays: 0,
  };
}
