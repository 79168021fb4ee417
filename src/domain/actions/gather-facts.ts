import type { Tx } from '../../db/database.ts';
import {
  listAppTexts,
  listStandingFields,
  listUnanswered,
  listUntrackedPhrases,
  listWebhookHealth,
  type ActionApp,
} from '../../db/queries/action-facts.ts';
import { listRatingDays } from '../../db/queries/ratings.ts';
import { listReviews } from '../../db/queries/reviews.ts';
import { addDays, startOfDayMs, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import type { Ctx } from '../context.ts';
import { toKeptRating } from '../listings/clean-listing.ts';
import { readTerms, termDepthOn } from '../rankings/terms.ts';
import { readFollowedFeeds } from '../reviews/followed-feeds.ts';
import type {
  AppFacts,
  DemandFacts,
  FailingFacts,
  KeywordFacts,
  RatingFacts,
  ReviewFacts,
  WorkspaceFacts,
} from './facts.ts';
import { gatherKeywords } from './gather-keywords.ts';
import { gatherRivals } from './gather-rivals.ts';
import { thresholds } from './thresholds.ts';

type Reader = Pick<Ctx, 'workspaceId' | 'clock'>;

const mostReviews = 500;
const mostRatingDays = 5_000;
const unansweredDays = 14;

/** All that the rules look at of an app, as far as this workspace may see it: some twenty statements, whatever its size. */
export async function gatherAppFacts(tx: Tx, ctx: Reader, app: ActionApp): Promise<AppFacts> {
  const today = utcDayOf(ctx.clock.now());
  const keywords = await gatherKeywords(tx, ctx, app);
  const texts = await listAppTexts(tx, ctx.workspaceId, app.id);
  const { reviews, ratings } = await gatherOpinions(tx, ctx, app, today);
  const own = keywords.map(({ facts }) => facts);
  return {
    today,
    app: { id: app.id, store: app.store, name: app.name, primaryCountry: app.primaryCountry },
    keywords: own,
    texts: texts.flatMap((text) => (text.name === null ? [] : [{ ...text, name: text.name }])),
    fields: app.store === 'ios' ? await listStandingFields(tx, ctx.workspaceId, app.id) : [],
    ...(await gatherRivals(tx, ctx, app.id, keywords)),
    reviews,
    ratings,
    failing: await gatherFailing(tx, ctx, app.id, today),
    demand: await gatherDemand(tx, ctx, app, { keywords: own, ratings }),
  };
}

async function gatherOpinions(
  tx: Tx,
  ctx: Reader,
  app: ActionApp,
  today: UtcDay,
): Promise<{ reviews: ReviewFacts; ratings: RatingFacts[] }> {
  const { feeds, listingId } = await readFollowedFeeds(tx, ctx, app);
  const { maxRating, withinDays } = thresholds['review-theme'];
  const { overDays, baselineReachDays, readWithinDays } = thresholds['rating-fell'];
  const stars = Array.from({ length: maxRating }, (_, index) => index + 1);
  const since = new Date(startOfDayMs(addDays(today, 1 - withinDays)));
  const low = await listReviews(
    tx,
    ctx.workspaceId,
    { listingId, feeds, from: since, ratings: stars },
    { sort: 'newest', after: null, limit: mostReviews },
  );
  const readings = feeds.flatMap((feed) =>
    feed.syncedAt === null ? [] : [utcDayOf(feed.syncedAt)],
  );
  const range = { from: addDays(today, -overDays - baselineReachDays - readWithinDays), to: today };
  const { rows } = await listRatingDays(
    tx,
    { listingId, countries: feeds, ...range },
    { after: null, limit: mostRatingDays },
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
    },
    ratings: rows.flatMap(({ country, date, rating, ratingCount }) => {
      const kept = toKeptRating(rating);
      return kept === null ? [] : [{ country, date, rating: kept, ratingCount }];
    }),
  };
}

/** Days on which this workspace did not follow the market are nobody's business. */
async function gatherFailing(
  tx: Tx,
  ctx: Reader,
  appId: number,
  today: UtcDay,
): Promise<FailingFacts[]> {
  const rows = await listUnanswered(tx, ctx.workspaceId, appId, addDays(today, 1 - unansweredDays));
  return rows.flatMap(({ keywordId, country, terms, dates, marker }) => {
    const read = readTerms(terms);
    const days = dates.filter((date) => termDepthOn(read, date));
    const [since, lastOn] = [days[0], days.at(-1)];
    return since === undefined || lastOn === undefined
      ? []
      : [{ keywordId, country, days: days.length, since, lastOn, marker }];
  });
}

async function gatherDemand(
  tx: Tx,
  ctx: Reader,
  app: ActionApp,
  known: { keywords: readonly KeywordFacts[]; ratings: readonly RatingFacts[] },
): Promise<DemandFacts[]> {
  const phrases = Map.groupBy(
    await listUntrackedPhrases(tx, ctx.workspaceId, app.id),
    (row) => row.country,
  );
  const home = app.primaryCountry;
  const isHomeEmpty = !known.keywords.some((keyword) => keyword.country === home);
  const countries = new Set([...phrases.keys(), ...(isHomeEmpty ? [home] : [])]);
  const ratingsAtHome = known.ratings
    .filter((row) => row.country === home && row.ratingCount !== null)
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
  return [...countries].toSorted().map((country) => ({
    country,
    isPrimary: country === home,
    ratingCount: country === home ? (ratingsAtHome.at(-1)?.ratingCount ?? null) : null,
    phrases: (phrases.get(country) ?? []).map(({ phrase, traffic }) => ({ phrase, traffic })),
  }));
}

/** What the rules look at of the workspace itself. */
export async function gatherWorkspaceFacts(tx: Tx, ctx: Reader): Promise<WorkspaceFacts> {
  const webhooks = await listWebhookHealth(tx, ctx.workspaceId);
  return {
    now: ctx.clock.now(),
    webhooks: webhooks.map(({ url, ...health }) => ({ ...health, host: hostOf(url) })),
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an unreadable address';
}
