import type { Tx } from '#db/database.ts';
import {
  listAppTexts,
  listCurrentKeywordFields,
  listUnanswered,
  listUntrackedCountries,
  listWebhookHealth,
  type ActionApp,
} from '#db/queries/actions/action-facts.ts';
import { listRatingDays } from '#db/queries/reviews/ratings.ts';
import { countReviews, listReviews } from '#db/queries/reviews/reviews.ts';
import { addDays, startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import { hasTask } from '#domain/base/ports.ts';
import { toStoredRating } from '#domain/tracking/listings/clean-listing.ts';
import {
  parseTrackingPeriods,
  trackedDepthOn,
} from '#domain/tracking/rankings/tracking-periods.ts';
import { loadFollowedFeeds } from '#domain/tracking/reviews/followed-feeds.ts';
import type {
  AppFacts,
  DemandFacts,
  FailingFacts,
  KeywordFacts,
  RatingFacts,
  ReviewFacts,
  WorkspaceFacts,
} from './facts.ts';
import { collectKeywordFacts } from './collect-keyword-facts.ts';
import { collectCompetitorFacts } from './collect-competitor-facts.ts';
import { maxNamedPhrases, thresholds } from './thresholds.ts';

type Reader = Pick<Ctx, 'workspaceId' | 'clock'>;

const maxReviews = 500;
const unansweredDays = 14;

/**
 * All facts of an app that the rules need, as far as this workspace may see them. Takes some twenty
 * statements, whatever the app's size.
 */
export async function collectAppFacts(tx: Tx, ctx: Reader, app: ActionApp): Promise<AppFacts> {
  const today = utcDayOf(ctx.clock.now());
  const keywords = await collectKeywordFacts(tx, ctx, app);
  const texts = await listAppTexts(tx, ctx.workspaceId, app.id);
  const { reviews, ratings } = await collectReviewsAndRatings(tx, ctx, app, today);
  const own = keywords.map(({ facts }) => facts);
  const hasPage = hasTask(app.store, 'page');
  return {
    today,
    app: { id: app.id, store: app.store, name: app.name, primaryCountry: app.primaryCountry },
    keywords: own,
    texts: texts.flatMap((text) =>
      text.name === null
        ? []
        : // A store without a page task shows a subtitle with the listing or not at all.
          [{ ...text, name: text.name, isSubtitleKnown: text.isSubtitleKnown || !hasPage }],
    ),
    fields: await listCurrentKeywordFields(tx, ctx.workspaceId, app.id),
    ...(await collectCompetitorFacts(tx, ctx, app.id, keywords)),
    reviews,
    ratings,
    failing: await collectFailingChecks(tx, ctx, app.id, today),
    demand: await collectDemand(tx, ctx, app, { keywords: own, ratings }),
  };
}

async function collectReviewsAndRatings(
  tx: Tx,
  ctx: Reader,
  app: ActionApp,
  today: UtcDay,
): Promise<{ reviews: ReviewFacts; ratings: RatingFacts[] }> {
  const { feeds, listingId } = await loadFollowedFeeds(tx, ctx, app);
  const { maxRating, withinDays } = thresholds['review-theme'];
  const { overDays, baselineReachDays, readWithinDays } = thresholds['rating-fell'];
  const stars = Array.from({ length: maxRating }, (_, index) => index + 1);
  const since = new Date(startOfDayMs(addDays(today, 1 - withinDays)));
  const filter = { listingId, feeds, from: since, ratings: stars };
  const newest = { sort: 'newest', after: null, limit: maxReviews } as const;
  const low = await listReviews(tx, ctx.workspaceId, filter, newest);
  const lowInAll =
    low.length < maxReviews ? low.length : await countReviews(tx, ctx.workspaceId, filter);
  const readings = feeds.flatMap((feed) =>
    feed.syncedAt === null ? [] : [utcDayOf(feed.syncedAt)],
  );
  const daysBefore = overDays + baselineReachDays + readWithinDays;
  const { rows } = await listRatingDays(
    tx,
    { listingId, feeds, from: addDays(today, -daysBefore), to: today },
    { after: null, limit: feeds.length * (daysBefore + 1) },
  );
  return {
    reviews: {
      readOn: readings.toSorted().at(-1) ?? null,
      low: low.map(({ id, rating, title, body, country }) => ({
        id,
        rating,
        title,
        body,
        country,
      })),
      lowInAll,
    },
    ratings: rows.flatMap(({ country, date, rating, ratingCount }) => {
      const kept = toStoredRating(rating);
      return kept === null ? [] : [{ country, date, rating: kept, ratingCount }];
    }),
  };
}

/** Days on which this workspace did not track the market are not visible. */
async function collectFailingChecks(
  tx: Tx,
  ctx: Reader,
  appId: number,
  today: UtcDay,
): Promise<FailingFacts[]> {
  const rows = await listUnanswered(tx, ctx.workspaceId, appId, addDays(today, 1 - unansweredDays));
  return rows.flatMap(({ keywordId, country, trackingPeriods, dates, marker }) => {
    const read = parseTrackingPeriods(trackingPeriods);
    const days = dates.filter((date) => trackedDepthOn(read, date));
    const [since, lastOn] = [days[0], days.at(-1)];
    return since === undefined || lastOn === undefined
      ? []
      : [{ keywordId, country, days: days.length, since, lastOn, marker }];
  });
}

async function collectDemand(
  tx: Tx,
  ctx: Reader,
  app: ActionApp,
  known: { keywords: readonly KeywordFacts[]; ratings: readonly RatingFacts[] },
): Promise<DemandFacts[]> {
  const searched = new Map(
    (
      await listUntrackedCountries(tx, ctx.workspaceId, app.id, {
        minTraffic: thresholds['untracked-country'].minTraffic,
        maxNamed: maxNamedPhrases,
      })
    ).map(({ country, ...row }) => [country, row]),
  );
  const home = app.primaryCountry;
  const isHomeEmpty = !known.keywords.some((keyword) => keyword.country === home);
  const countries = new Set([...searched.keys(), ...(isHomeEmpty ? [home] : [])]);
  const ratingsAtHome = known.ratings
    .filter((row) => row.country === home && row.ratingCount !== null)
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
  return [...countries].toSorted().map((country) => ({
    country,
    isPrimary: country === home,
    ratingCount: country === home ? (ratingsAtHome.at(-1)?.ratingCount ?? null) : null,
    ...(searched.get(country) ?? { phrases: [], phrasesInAll: 0, trafficInAll: 0 }),
  }));
}

/** Facts of the workspace itself. */
export async function collectWorkspaceFacts(tx: Tx, ctx: Reader): Promise<WorkspaceFacts> {
  const webhooks = await listWebhookHealth(tx, ctx.workspaceId);
  return {
    now: ctx.clock.now(),
    webhooks: webhooks.map(({ url, ...health }) => ({ ...health, host: hostOf(url) })),
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an unreadable address';
}
