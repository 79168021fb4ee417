import {
  listSeenReviews,
  listPendingFeeds,
  lockAlerts,
  lockPendingStorefronts,
  markFeedsEvaluated,
  type SeenReviewRow,
  type PendingFeedRow,
  type UnnotifiedFeed,
} from '#db/queries/alerts/alert-facts.ts';
import type { Tx } from '#db/database.ts';
import { startOfDayMs, utcDayOf } from '#lib/dates.ts';
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
      });
      events.push(...(await toEvents(tx, services, workspaceId, alerts)));
    }
    await emitEvents(tx, services, events);
    await markFeedsEvaluated(tx, feeds, storefronts);
    return storefronts.listingIds.length;
  });
}

function spanOf(
  feeds: readonly PendingFeedRow[],
  now: Date,
): { from: Date; until: Date; unreported: UnnotifiedFeed[] } {
  const unreported = feeds.map(({ appId, country, evaluatedTo, syncedAt }) => {
    // A storefront without an evaluation may have been tracked for as long as reviews may be old.
    const startMs = evaluatedTo?.getTime() ?? syncedAt.getTime() - 7 * dayMs;
    return { appId, country, from: new Date(startMs - dayMs) };
  });
  return {
    from: new Date(Math.min(...unreported.map((feed) => feed.from.getTime()))),
    until: new Date(now.getTime() + 1),
    unreported: unreported,
  };
}

/** The reviews of an app and day that are alerts, unless a rule is about every review. */
const milestones: readonly number[] = [1, 10, 100, 1_000];

/**
 * Evaluates the rules for reviews that a workspace first saw in a period; `unreported` excludes
 * reported ones. Where not every review is an alert, all of the first day count, so that a review
 * has the same number whenever it is evaluated.
 */
export async function readReviewAlerts(
  tx: Tx,
  workspaceId: number,
  input: { rules: readonly ResolvedRule[]; from: Date; until: Date; unreported?: UnnotifiedFeed[] },
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
  const alerts = toReviewAlerts(rows, rules);
  if (alerts.every(({ rule }) => rule.everyReview)) return alerts.map(({ alert }) => alert);
  const firstDay = utcDayOf(new Date(Math.min(...rows.map(({ seenAt }) => seenAt.getTime()))));
  const ofDays = await listSeenReviews(tx, workspaceId, {
    from: new Date(startOfDayMs(firstDay)),
    until: span.until,
    ...widest,
    limit: reviewsMax,
  });
  return [
    ...alerts.filter(({ rule }) => rule.everyReview).map(({ alert }) => alert),
    ...numberReviews(toReviewAlerts(ofDays, rules).filter(({ rule }) => !rule.everyReview)),
  ];
}

/** The milestones among the alerts of each app and day, which are in the order of the reviews. */
function numberReviews(alerts: readonly ReviewAlert[]): AlertOf<'review.negative'>[] {
  const ofDays = Map.groupBy(alerts, ({ alert }) => `${alert.appId}:${alert.date}`);
  return [...ofDays].flatMap(([day, ofDay]) =>
    milestones.flatMap((number) => {
      const alert = ofDay[number - 1]?.alert;
      if (!alert) return [];
      const data = { ...alert.data, ofDay: { date: alert.date, number } };
      return [{ ...alert, subject: `${day}:${number}`, data }];
    }),
  );
}

interface ReviewAlert {
  alert: AlertOf<'review.negative'>;
  rule: RuleOf<'review.negative'>;
}

const toReviewAlerts = (
  rows: readonly SeenReviewRow[],
  rules: readonly ResolvedRule[],
): ReviewAlert[] => rows.flatMap((row) => toReviewAlert(row, rules) ?? []);

/** Pure. Null when no rule matches. */
function toReviewAlert(row: SeenReviewRow, rules: readonly ResolvedRule[]): ReviewAlert | null {
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
  const alert: AlertOf<'review.negative'> = {
    type: 'review.negative',
    // By the store's id: an import of the event then includes that the review was reported.
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
  return { alert, rule };
}
