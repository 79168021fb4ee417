import { mix, pick, unit } from './hash.ts';
import type { SimApp } from './apps.ts';
import { BoundedCache } from './bounded-cache.ts';
import { currencyOf } from './countries.ts';
import { pitches, releaseNotes, subjects } from './words.ts';

/** An app as a store shows it in one country, in one language, on one day. */
export interface SimListing {
  app: SimApp;
  title: string;
  subtitle: string;
  description: string;
  version: string;
  updatedOn: number;
  releaseNotes: string;
  /** In cents of the country's currency. */
  priceCents: number;
  currency: string;
  /** Null for a new app. */
  rating: number | null;
  ratingCount: number | null;
  /** Five stars first. */
  histogram: readonly number[];
  installs: bigint;
  category: string;
}

export interface ListingQuery {
  country: string;
  language: string;
  day: number;
  detail: 'lean' | 'full';
}

export function describeListing(app: SimApp, query: ListingQuery): SimListing {
  const { country, language, day } = query;
  const age = Math.max(0, day - app.releasedOn);
  const version = versionOn(app, day);
  const era = titleEra(app, day);
  const ratings = ratingsOn(app, country, age);
  const subject = subjects[app.subject] ?? subjects[0]!;
  return {
    app,
    title: titleOf(app, language, era),
    subtitle: subtitleOf(app, language, era),
    description: descriptionOf(app, language, query.detail),
    ...version,
    priceCents: priceOn(app, country, day),
    currency: currencyOf(country),
    ...ratings,
    installs: app.fixedInstalls ?? installsOn(app, age),
    category: subject.local[language] ?? app.traits.categoryName(subject),
  };
}

/** 3 % of the apps are not sold in a country; demo and counted apps are sold everywhere. */
export function isOffered(app: SimApp, country: string, day: number): boolean {
  if (day < app.releasedOn || (app.removedOn !== null && day >= app.removedOn)) return false;
  if (app.demo !== null || app.fixedInstalls !== null) return true;
  return unit(mix(app.seed, country.charCodeAt(0) * 256 + country.charCodeAt(1))) >= 0.03;
}

/**
 * The number of times that title and subtitle were rewritten: every 60–200 days, every 60 for demo
 * apps.
 */
export function titleEra(app: SimApp, day: number): number {
  const period = app.demo ? 60 : 60 + (mix(app.seed, 11) % 140);
  return Math.floor((day + (app.demo ? 0 : mix(app.seed, 12) % period)) / period);
}

/** The version of an app on a day. */
export function versionOn(
  app: SimApp,
  day: number,
): { version: string; updatedOn: number; releaseNotes: string } {
  const updatedOn = releaseDay(app, day);
  const count = (updatedOn - app.releasedOn) / releasePeriod(app);
  const version = `${1 + Math.floor(count / 20)}.${count % 20}.${mix(app.seed, count) % 4}`;
  return { version, updatedOn, releaseNotes: pick(releaseNotes, mix(app.seed, 22 + count)) };
}

/** The day of the newest release up to a day. */
export function releaseDay(app: SimApp, day: number): number {
  const period = releasePeriod(app);
  return app.releasedOn + Math.floor(Math.max(0, day - app.releasedOn) / period) * period;
}

export function releasePeriod(app: SimApp): number {
  return 7 + (mix(app.seed, 21) % 50);
}

function titleOf(app: SimApp, language: string, era: number): string {
  if (app.demo) return era % 2 === 0 ? app.demo.title : app.demo.laterTitle;
  const descriptor = capitalize(localNoun(app, language, era % 3 === 2 ? 1 : 0));
  if (era % 2 === 0 || language !== 'en') return `${app.brand}: ${descriptor}`;
  return `${app.brand} - ${app.quality} ${descriptor}`;
}

function subtitleOf(app: SimApp, language: string, era: number): string {
  if (app.demo) return era % 2 === 0 ? app.demo.subtitle : app.demo.laterSubtitle;
  const first = capitalize(localNoun(app, language, 2 + (era % 2)));
  const text = `${first} & ${localNoun(app, language, 4)}`;
  return app.traits.makeSubtitle(text, app.quality);
}

/**
 * A word of the app's subject by ordinal: its own descriptor first, then others. Other languages
 * than English begin with the subject's local name.
 */
function localNoun(app: SimApp, language: string, ordinal: number): string {
  const subject = subjects[app.subject] ?? subjects[0]!;
  const local = subject.local[language];
  if (local !== undefined && ordinal % 2 === 0) return local;
  // Different ordinals pick different words.
  const { nouns } = subject;
  return pick(
    nouns,
    Math.max(0, nouns.indexOf(app.descriptor)) + ordinal * (app.seed % 2 === 0 ? 1 : 3),
  );
}

const leanDescriptions = new WeakMap<SimApp, BoundedCache<string>>();

/** Lean descriptions are part of every card, so they are cached for a few languages of each app. */
function descriptionOf(app: SimApp, language: string, detail: 'lean' | 'full'): string {
  if (app.demo) return app.demo.description;
  if (detail === 'full') return writeDescription(app, language, 24);
  let known = leanDescriptions.get(app);
  if (known === undefined) leanDescriptions.set(app, (known = new BoundedCache<string>(4)));
  return known.take(language, () => writeDescription(app, language, 4));
}

function writeDescription(app: SimApp, language: string, length: number): string {
  const frames = pitches[language] ?? pitches['en'] ?? [];
  const sentences = Array.from({ length }, (_, ordinal) =>
    pick(frames, ordinal)
      .replace('{brand}', app.brand)
      .replace('{a}', localNoun(app, language, ordinal))
      .replace('{b}', localNoun(app, language, ordinal + 3)),
  );
  return sentences.join('\n');
}

/** A sale halves the price for a week, every 70 days. */
function priceOn(app: SimApp, country: string, day: number): number {
  if (app.priceCents === 0) return 0;
  const onSale = (day + (mix(app.seed, 41) % 70)) % 70 < 7;
  const cents = onSale ? Math.floor(app.priceCents / 2) : app.priceCents;
  return currencyOf(country) === 'JPY' ? cents * 150 : cents;
}

function ratingsOn(app: SimApp, country: string, age: number) {
  const count = Math.floor(ratingsAtFullAge(app, country) * Math.min(1, age / fullAge));
  if (age < 14 || count === 0)
    return { rating: null, ratingCount: null, histogram: [0, 0, 0, 0, 0] };
  const rest = count - Math.floor(count * fiveShare(app));
  const below = belowShares.slice(0, 3).map((part) => Math.floor(rest * part));
  const histogram = [count - rest, ...below, rest - below.reduce((sum, part) => sum + part, 0)];
  const stars = histogram.reduce((sum, part, index) => sum + part * (5 - index), 0);
  return { rating: Math.round((stars / count) * 100_000) / 100_000, ratingCount: count, histogram };
}

/**
 * The ratings of an app in a country after `fullAge` days; their number grows evenly until then.
 */
export function ratingsAtFullAge(app: SimApp, country: string): number {
  const share =
    0.02 + 0.5 * unit(mix(app.seed, country.charCodeAt(0) * 31 + country.charCodeAt(1)));
  return Math.exp(app.popularity * 1.6) * share;
}

const fullAge = 900;
/** Shares of 4, 3, 2 and 1 stars among the ratings below five. */
const belowShares = [0.5, 0.2, 0.1, 0.2] as const;

function fiveShare(app: SimApp): number {
  return 0.45 + 0.4 * unit(mix(app.seed, 51));
}

/** The shares of an app's ratings, five stars first. */
export function starShares(app: SimApp): number[] {
  const fives = fiveShare(app);
  return [fives, ...belowShares.map((part) => part * (1 - fives))];
}

function installsOn(app: SimApp, age: number): bigint {
  return BigInt(Math.floor(Math.exp(app.popularity * 1.9) * 40 * Math.min(1.5, (age + 3) / 700)));
}

const capitalized = new BoundedCache<string>(5_000);

function capitalize(text: string): string {
  return capitalized.take(text, () =>
    text.replace(/(^|\s)\p{L}/gu, (character) => character.toUpperCase()),
  );
}
