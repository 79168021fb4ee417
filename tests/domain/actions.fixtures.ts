import type {
  AppFacts,
  FailingFacts,
  KeywordFacts,
  RatingFacts,
  TextFacts,
  WebhookFacts,
} from '#domain/insights/actions/facts.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';

export const today = '2026-11-21';

/** Checks of the days up to today, the last one today's; a number, or null for not found. */
export function checksOf(
  positions: readonly (number | null)[],
  depth = 200,
): KeywordFacts['checks'] {
  return positions.map((position, index) => ({
    date: addDays(today, index + 1 - positions.length),
    position,
    depth,
  }));
}

export function keywordOf(
  given: Partial<KeywordFacts> & { positions?: readonly (number | null)[]; depth?: number } = {},
): KeywordFacts {
  const { positions = [20], depth = 200, ...facts } = given;
  const checks = facts.checks ?? checksOf(positions, depth);
  return {
    id: 481,
    phrase: 'habit tracker',
    country: 'us',
    device: 'iphone',
    followedSince: '2026-01-01',
    traffic: 63,
    difficulty: 40,
    opportunity: 30,
    latest: checks.at(-1) ?? null,
    checks,
    ...facts,
  };
}

export function textOf(given: Partial<TextFacts> = {}): TextFacts {
  return {
    country: 'us',
    name: 'Lumen: Habits and Daily Goals',
    developer: 'Lumen Labs',
    subtitle: 'Streaks, routines, reminders!!',
    isSubtitleKnown: true,
    summary: null,
    description: 'A calm place for what you want to do every day.',
    readOn: today,
    ...given,
  };
}

export function factsOf(
  given: Partial<Omit<AppFacts, 'app'>> & { store?: 'ios' | 'android' } = {},
): AppFacts {
  const { store = 'ios', ...facts } = given;
  return {
    today,
    app: { id: 7, store, name: 'Lumen', primaryCountry: 'us' },
    keywords: [],
    texts: [],
    fields: [],
    entrants: [],
    unsearchedKeywordIds: [],
    gaps: [],
    competitorChanges: [],
    hasUnreadChanges: false,
    reviews: { readOn: today, low: [], lowInAll: 0 },
    ratings: [],
    failing: [],
    demand: [],
    ...facts,
  };
}

export function lowReviews(
  bodies: readonly string[],
  lowInAll: number = bodies.length,
): AppFacts['reviews'] {
  return {
    readOn: today,
    lowInAll,
    low: bodies.map((body, index) => ({
      id: index + 1,
      rating: 1,
      title: null,
      body,
      country: 'us',
    })),
  };
}

export function ratingsOf(
  before: number,
  now: number,
  given: { count?: number; daysAgo?: number; newest?: UtcDay } = {},
): RatingFacts[] {
  const { count = 400, daysAgo = 30, newest = today } = given;
  return [
    { country: 'us', date: addDays(newest, -daysAgo), rating: before, ratingCount: count },
    { country: 'us', date: newest, rating: now, ratingCount: count },
  ];
}

export function failingOf(given: Partial<FailingFacts> = {}): FailingFacts {
  return {
    keywordId: 481,
    country: 'us',
    days: 3,
    since: '2026-11-19',
    lastOn: today,
    marker: '429',
    ...given,
  };
}

export function webhookOf(given: Partial<WebhookFacts> = {}): WebhookFacts {
  return {
    id: 3,
    host: 'hooks.example.org',
    disabledBy: null,
    failures: 5,
    failingSince: new Date('2026-11-20T12:00:00Z'),
    ...given,
  };
}
