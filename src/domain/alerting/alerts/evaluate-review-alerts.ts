import {
  listPendingFeeds,
  lockAlerts,
  lockPendingStorefronts,
  markFeedsEvaluated,
  type PendingFeedRow,
} from '#db/queries/alerts/alert-facts.ts';
import {
  listAppTags,
  listNumberedReviews,
  listSeenReviews,
  type SeenReviewRow,
  type UnnotifiedFeed,
  type WatchedApp,
} from '#db/queries/alerts/seen-reviews.ts';
import type { Tx } from '#db/database.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { emitEvents, type NewEvent } from '../events/emit-events.ts';
import type { AlertOf } from './alert.ts';
import { readRules } from './read-rules.ts';
import { findRule, type ResolvedRule, type RuleOf } from './rules.ts';
import { toEvents } from './to-events.ts';

const batchSize = 100;
/** More unreported low reviews than this in one reading are a flood and raise no single alerts. */
export const reviewsMax = 1_000;
const dayMs = 86_400_000;

/**
 * Turns reviews of storefronts that were read since the last evaluation into events. Days that were
 * already evaluated are included again for late pages, but a review is reported once. Returns the
 * number of storefronts.
 */
export function evaluateReviewAlerts(services: Services): Promise<number> {
  return inSystem(services, async (tx) => {
    if (!(await lockAlerts(tx, 'reviews'))) return 0;
    const storefronts = await lockPendingStorefronts(tx, batchSize);
    if (storefronts.listingIds.length === 0) return 0;
    const feeds = await listPendingFeeds(tx, storefronts);
    const events: NewEvent[] = [];
    for (const [workspaceId, ofWorkspace] of Map.groupBy(feeds, (feed) => feed.workspaceId)) {
      const rules = await readRules(tx, workspaceId);
      const alerts = await readReviewAlerts(tx, workspaceId, {
        rules,
        ...spanOf(ofWorkspace, services.clock.now()),
        limit: reviewsMax,
      });
      events.push(...(await toEvents(tx, services, workspaceId, alerts)));
    }
    await emitEvents(tx, services, events);
    await markFeedsEvaluated(tx, feeds, storefronts);
    return storefronts.listingIds.length;
  });
}

function spanOf(feeds: readonly PendingFeedRow[], now: Date): Required<ReviewSpan> {
  const unreported = feeds.map(({ appId, country, evaluatedTo, syncedAt }) => {
    // A storefront without an evaluation may have been tracked for as long as reviews may be old.
    const startMs = evaluatedTo?.getTime() ?? syncedAt.getTime() - 7 * dayMs;
    return { appId, country, from: new Date(startMs - dayMs) };
  });
  return {
    from: new Date(Math.min(...unreported.map((feed) => feed.from.getTime()))),
    until: new Date(now.getTime() + 1),
    unreported,
  };
}

/** The reviews of an app and day that are alerts, unless a rule is about every review. */
const milestones: readonly number[] = [1, 10, 100, 1_000];

interface ReviewSpan {
  from: Date;
  until: Date;
  /** Storefronts whose reviews are evaluated, without those that were reported; all by default. */
  unreported?: UnnotifiedFeed[];
}

type ReviewRule = RuleOf<'review.negative'>;

/**
 * Evaluates the rules for reviews that a workspace first saw in a period. `limit` is for reviews
 * that are alerts each; milestones have none.
 */
export async function readReviewAlerts(
  tx: Tx,
  workspaceId: number,
  input: ReviewSpan & { rules: readonly ResolvedRule[]; limit: number },
): Promise<AlertOf<'review.negative'>[]> {
  const { until, unreported, limit } = input;
  const apps = await listWatchedApps(tx, workspaceId, input);
  const every = apps.filter(({ rule }) => rule.everyReview);
  const numbered = apps.filter(({ rule }) => !rule.everyReview);
  const seen = { apps: every, until, unreported, limit };
  const ofDays = { apps: numbered, until, numbers: milestones };
  return [
    ...(every.length === 0 ? [] : await listSeenReviews(tx, workspaceId, seen)).map(toAlert),
    ...(numbered.length === 0 ? [] : await listNumberedReviews(tx, workspaceId, ofDays)).map(
      toMilestoneAlert,
    ),
  ];
}

/** The apps with a rule, each from the earliest instant of its storefronts. */
async function listWatchedApps(
  tx: Tx,
  workspaceId: number,
  { rules, from, unreported }: ReviewSpan & { rules: readonly ResolvedRule[] },
): Promise<(WatchedApp & { rule: ReviewRule })[]> {
  const feeds = unreported && Map.groupBy(unreported, (feed) => feed.appId);
  return (await listAppTags(tx, workspaceId)).flatMap(({ appId, tags }) => {
    const rule = findRule(rules, 'review.negative', { appId, tags, traffic: null });
    const pending = feeds?.get(appId);
    if (!rule || (feeds && !pending)) return [];
    const { maxRating, maxAgeDays } = rule;
    const since = pending
      ? new Date(Math.min(...pending.map((feed) => feed.from.getTime())))
      : from;
    return [{ appId, maxRating, maxAgeDays, from: since, rule }];
  });
}

function toMilestoneAlert(row: SeenReviewRow & { number: number }): AlertOf<'review.negative'> {
  const alert = toAlert(row);
  const { date, appId } = alert;
  const data = { ...alert.data, ofDay: { date, number: row.number } };
  return { ...alert, subject: `${appId}:${date}:${row.number}`, data };
}

const toAlert = (row: SeenReviewRow): AlertOf<'review.negative'> => ({
  type: 'review.negative',
  // By the store's id: an import of the event then includes that the review was reported.
  subject: `${row.appId}:${row.country}:${row.storeReviewId}`,
  date: utcDayOf(row.seenAt),
  appId: row.appId,
  data: {
    reviewId: row.id,
    storeReviewId: row.storeReviewId,
    country: row.country,
    rating: row.rating,
    title: row.title,
    text: row.body,
    author: row.author,
    version: row.version,
    writtenAt: row.datedAt.toISOString(),
  },
  links: { review: `/reviews/${row.id}` },
  cooldownDays: 0,
});
