import fc from 'fast-check';
import type { MarketEvidence, TopApp } from '#domain/insights/scores/evidence.ts';
import { toWords } from '#domain/insights/scores/title-match.ts';
import type { GoldenMarket } from './scores-golden.ts';

export const today = '2026-03-01';
const store = fc.constantFrom('ios' as const, 'android' as const);
const word = fc.constantFrom(
  'habit',
  'tracker',
  'mood',
  '写真',
  'приложение',
  'عادة',
  'c++',
  '習慣',
  'día',
);
const phrases = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const text = fc
  .array(fc.oneof(word, fc.string({ maxLength: 8 })), { maxLength: 6 })
  .map((words) => words.join(' '));
const count = fc.option(fc.integer({ min: 0, max: 40_000_000 }), { freq: 6, nil: null });
const day = fc.constantFrom('2012-05-01', '2024-02-29', '2026-02-28');
const app = fc.record({
  title: text.map(toWords),
  developer: text.map(toWords),
  rating: fc.option(fc.float({ min: 0, max: 5, noNaN: true }), { nil: null }),
  ratingCount: count,
  releasedOn: fc.option(day, { nil: null }),
  chartPosition: fc.option(fc.integer({ min: 1, max: 200 }), { nil: null }),
});
const serp = fc
  .record({ top: fc.array(app, { maxLength: 20 }), isWhole: fc.boolean() })
  .map(({ top, isWhole }) => ({
    date: today,
    resultCount: top.length,
    top,
    positions: isWhole ? 20 : top.length,
  }));
const hintPosition = fc.option(fc.integer({ min: 1, max: 10 }), { nil: null });
const hints = fc.record({
  date: fc.constant(today),
  offered: fc.array(
    fc.oneof(
      fc.tuple(text, hintPosition),
      fc.tuple(text, hintPosition, fc.nat(10), fc.nat(9), fc.nat(1)),
    ),
    { minLength: 1, maxLength: 4 },
  ),
});
export const market: fc.Arbitrary<MarketEvidence> = fc.record({
  store,
  country: fc.constant('us'),
  phrase: phrases.map(toWords),
  asOf: fc.constant(today),
  serp: fc.option(serp, { freq: 8, nil: null }),
  hints: fc.option(hints, { nil: null }),
  chartsKnown: fc.boolean(),
  popularity: fc.constant(null),
  popularityBound: fc.constant(null),
});
export const withSerp = market.filter((given) => given.serp !== null && given.serp.top.length > 0);

export function updateApp(
  given: MarketEvidence,
  index: number,
  change: (app: TopApp) => TopApp,
): MarketEvidence {
  const known = given.serp!;
  const at = index % known.top.length;
  return {
    ...given,
    serp: {
      ...known,
      top: known.top.map((item, itemIndex) => (itemIndex === at ? change(item) : item)),
    },
  };
}

export function fromGolden(
  { phrase, country, resultCount, hints: offered, top }: GoldenMarket,
  given: Partial<MarketEvidence> = {},
): MarketEvidence {
  const apps = top.map(([title, developer, rating, ratingCount]) => ({
    title: toWords(title),
    developer: toWords(developer),
    rating,
    ratingCount,
    releasedOn: null,
    chartPosition: null,
  }));
  return {
    store: 'ios',
    country,
    phrase: toWords(phrase),
    asOf: today,
    serp: { date: today, resultCount, top: apps, positions: 20 },
    hints: { date: today, offered },
    chartsKnown: false,
    popularity: null,
    popularityBound: null,
    ...given,
  };
}
