import type { SimApp } from './apps.ts';
import { languageOf } from './countries.ts';
import { BoundedCache } from './bounded-cache.ts';
import { hashText, mix, pick, unit } from './hash.ts';
import { isOffered, releaseDay, starShares, versionOn } from './listing.ts';
import type { ReviewOverride } from './overrides.ts';
import { replies, reviewerNames, reviewTexts, type Mood } from './review-words.ts';
import { subjects } from './words.ts';
import type { World } from './world.ts';

/** A written review at the requested instant. */
export interface SimReview {
  /** Eleven digits on iOS, a UUID on Android; an edit keeps it. */
  storeReviewId: string;
  author: string;
  rating: number;
  title: string;
  body: string;
  version: string;
  /** When it was written or last edited. */
  at: Date;
  edited: boolean;
  votes: { up: number; all: number };
  reply: { text: string; at: Date } | null;
}

const dayMs = 86_400_000;
const maxReviews = 700;
/** The ratings for each daily review: about one rater in seven writes a review. */
const ratingsPerDailyReview = 6_000;
const maxPerDay = 12;
const daysUnrated = 14;
const fewRatings = 12;
const maxDays = 1_500;
/**
 * Edits come within 25 days and replies within three more; after that the reviews of a day are
 * final.
 */
const daysUntilFinal = 30;

/**
 * Reviews of an app that one country shows up to `now`, newest first, at most `atMost` by the day
 * of writing. A pure function: a review keeps its id and exists from its second on. Some are edited
 * later, some get a reply, and a bad release brings a flood of low ratings for three days.
 */
export function reviewsOf(
  world: World,
  app: SimApp,
  shownIn: string,
  now: Date,
  atMost = maxReviews,
): SimReview[] {
  const country = app.traits.reviewsCountryOf(shownIn);
  const nowMs = world.instantIn(shownIn, now).getTime();
  const today = Math.floor(nowMs / dayMs);
  const key = mix(app.seed, hashText(country, 81));
  const ratings = world.ratingsAtFullAge(app, country);
  const daily = ratings < fewRatings ? 0 : Math.min(maxPerDay, ratings / ratingsPerDailyReview);
  const oldest = Math.max(app.releasedOn + daysUnrated, today - maxDays);
  const found: SimReview[] = listOverridden(
    world.overrides.reviewsOf(app, country),
    app,
    now.getTime(),
  );
  const writtenOn = (day: number): SimReview[] => {
    if (!isOffered(app, country, day)) return [];
    const flood = isReviewBombed(app, day);
    const count = countOn(mix(key, day), flood ? daily * 5 : daily);
    const occasions = Array.from({ length: count }, (_, index) => ({
      app,
      country,
      day,
      flood,
      seed: mix(mix(key, day), count - 1 - index),
    }));
    return occasions.flatMap((occasion) => writtenReview(world, occasion, nowMs) ?? []);
  };
  const finalized = finalizedDays(world, app, country);
  for (let day = today; day >= oldest && found.length < atMost; day--) {
    found.push(
      ...(day > today - daysUntilFinal
        ? writtenOn(day)
        : finalized.take(String(day), () => writtenOn(day))),
    );
  }
  found.sort(
    (a, b) => b.at.getTime() - a.at.getTime() || (a.storeReviewId < b.storeReviewId ? -1 : 1),
  );
  return found.slice(0, atMost);
}

const feeds = new WeakMap<World, BoundedCache<BoundedCache<SimReview[]>>>();

/** The cache of a feed's final days, cleared by every override. */
function finalizedDays(world: World, app: SimApp, country: string): BoundedCache<SimReview[]> {
  let known = feeds.get(world);
  if (known === undefined) feeds.set(world, (known = new BoundedCache(100)));
  return known.take(
    `${world.overrides.version()}|${app.store}|${app.index}|${country}`,
    () => new BoundedCache(maxDays),
  );
}

function countOn(seed: number, daily: number): number {
  return Math.floor(daily * (0.4 + 1.2 * unit(mix(seed, 1))) + unit(mix(seed, 2)));
}

/** One release in eight is bad. */
function isReviewBombed(app: SimApp, day: number): boolean {
  const released = releaseDay(app, day);
  return day - released < 3 && unit(mix(app.seed, mix(released, 82))) < 0.12;
}

interface Occasion {
  app: SimApp;
  country: string;
  day: number;
  flood: boolean;
  seed: number;
}

function writtenReview(world: World, occasion: Occasion, nowMs: number): SimReview | null {
  const { app, country, day, seed } = occasion;
  const draw = (salt: number) => mix(seed, salt);
  const writtenMs = day * dayMs + (draw(1) % 86_400) * 1_000;
  if (writtenMs > nowMs) return null;
  const first = drawRating(occasion, unit(draw(2)));
  const editedMs = writtenMs + (1 + (draw(4) % (25 * 1_440))) * 60_000;
  const edited = unit(draw(3)) < 0.1 && editedMs <= nowMs;
  const rating = edited ? (first <= 3 ? first + 2 : first - 2) : first;
  const at = new Date(edited ? editedMs : writtenMs);
  const version = world.versionOf(app, at) ?? versionOn(app, day).version;
  const text = writeText(app, country, rating, draw(5), version);
  const all = draw(9) % 9;
  return {
    storeReviewId: app.traits.makeReviewId(draw(6), draw(7)),
    author: `${pick(reviewerNames, draw(8))}${draw(8) % 3 === 0 ? '' : draw(8) % 1_000}`,
    rating,
    title: text.title,
    body: edited ? `${text.body} (Update)` : text.body,
    version,
    at,
    edited,
    votes: { up: all === 0 ? 0 : draw(10) % (all + 1), all },
    reply: replyTo(app, country, { rating, atMs: at.getTime(), seed: draw(11) }, nowMs),
  };
}

function drawRating({ app, flood }: Occasion, chance: number): number {
  if (flood) return chance < 0.6 ? 1 : chance < 0.8 ? 2 : 5;
  let left = chance;
  const index = starShares(app).findIndex((share) => (left -= share) < 0);
  return index < 0 ? 1 : 5 - index;
}

function writeText(
  app: SimApp,
  country: string,
  rating: number,
  seed: number,
  version: string,
): { title: string; body: string } {
  const language = languageOf(country);
  const mood: Mood = rating >= 4 ? 'praise' : rating === 3 ? 'mixed' : 'complaint';
  const [title, body] = pick((reviewTexts[language] ?? reviewTexts['en']!)[mood], seed);
  const noun = subjects[app.subject]?.local[language] ?? (app.demo ? 'habits' : app.descriptor);
  const fill = (text: string) =>
    text.replaceAll('{brand}', app.brand).replaceAll('{a}', noun).replaceAll('{version}', version);
  return { title: fill(title), body: fill(body) };
}

/** Half of the developers reply to every third complaint, and sometimes to praise. */
function replyTo(
  app: SimApp,
  country: string,
  review: { rating: number; atMs: number; seed: number },
  nowMs: number,
): SimReview['reply'] {
  const isReplying = app.demo !== null || unit(mix(app.seed, 83)) < 0.5;
  if (!isReplying || unit(review.seed) >= (review.rating <= 3 ? 0.35 : 0.06)) return null;
  const at = new Date(review.atMs + (60 + (mix(review.seed, 1) % 4_260)) * 60_000);
  return at.getTime() > nowMs ? null : { text: replies[languageOf(country)] ?? replies['en']!, at };
}

function listOverridden(
  reviews: readonly ReviewOverride[],
  app: SimApp,
  nowMs: number,
): SimReview[] {
  const newest = new Map<string, SimReview>();
  const written = reviews
    .filter(({ at }) => Date.parse(at) <= nowMs)
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  for (const review of written) {
    const seed = hashText(`${review.at}|${review.body}`, app.seed);
    const id = review.storeReviewId ?? app.traits.makeReviewId(seed, mix(seed, 1));
    newest.set(id, {
      storeReviewId: id,
      author: review.author ?? pick(reviewerNames, seed),
      rating: review.rating,
      title: review.title ?? '',
      body: review.body,
      version: review.version ?? versionOn(app, Math.floor(Date.parse(review.at) / dayMs)).version,
      at: new Date(review.at),
      edited: newest.has(id),
      votes: { up: 0, all: 0 },
      reply: null,
    });
  }
  return [...newest.values()];
}
