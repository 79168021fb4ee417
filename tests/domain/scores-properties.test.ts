import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoreDifficulty } from '#domain/insights/scores/difficulty.ts';
import type { HintOffer, MarketEvidence } from '#domain/insights/scores/evidence.ts';
import { readTerms } from '#domain/insights/scores/fetch-hints.ts';
import { toNewScore } from '#domain/insights/scores/score-markets.ts';
import { toWords } from '#domain/insights/scores/title-match.ts';
import { scoreTraffic } from '#domain/insights/scores/traffic.ts';
import { goldenMarkets } from './scores-golden.ts';
import { fromGolden, market, today, updateApp, withSerp } from './scores.fixtures.ts';

const numRuns = 1_500;
/** By one position of one app. The most that a long search found: 7.3 and 5. */
const maxMove = { difficulty: 8, traffic: 6 };

/** The same results after an app moved down by one position. */
function moveDown(given: MarketEvidence, index: number): MarketEvidence {
  const top = [...given.serp!.top];
  const at = index % (top.length - 1);
  [top[at], top[at + 1]] = [top[at + 1]!, top[at]!];
  return { ...given, serp: { ...given.serp!, top } };
}

/** Results of the weakest and the strongest apps in any order. */
const extremes = fc
  .record({
    store: fc.constantFrom('ios' as const, 'android' as const),
    top: fc.array(
      fc.record({
        title: fc.constantFrom('Habit', 'Other').map(toWords),
        developer: fc.constantFrom('Habit Inc', 'Other').map(toWords),
        rating: fc.constantFrom(0, 5, null),
        ratingCount: fc.constantFrom(0, 40_000_000, null),
        releasedOn: fc.constantFrom('2012-05-01', today, null),
        chartPosition: fc.constantFrom(1, null),
      }),
      { minLength: 10, maxLength: 20 },
    ),
  })
  .map(({ store, top }) =>
    fromGolden(goldenMarkets[0]!, {
      store,
      phrase: toWords('habit'),
      chartsKnown: true,
      serp: { date: today, resultCount: top.length, top, positions: top.length },
    }),
  );

describe('scores of version 2', () => {
  it('change by a few points at most when one app moves by one position', () => {
    fc.assert(
      fc.property(fc.oneof(withSerp, extremes), fc.nat(19), (given, index) => {
        if (given.serp!.top.length < 10) return;
        const moved = moveDown(given, index);
        const change = (before: number | null, after: number | null) =>
          before === null || after === null ? 0 : Math.abs(before - after);
        expect(
          change(scoreDifficulty(given).score, scoreDifficulty(moved).score),
        ).toBeLessThanOrEqual(maxMove.difficulty);
        expect(change(scoreTraffic(given).score, scoreTraffic(moved).score)).toBeLessThanOrEqual(
          maxMove.traffic,
        );
      }),
      { numRuns: 4 * numRuns },
    );
  });

  it('of the first 5 and 20 obey the same rules as those of the first 10', () => {
    fc.assert(
      fc.property(
        withSerp,
        fc.nat(19),
        fc.constantFrom(5, 20),
        fc.integer({ min: 1, max: 90_000_000 }),
        (given, index, positions, more) => {
          const known = updateApp(given, index, (one) => ({
            ...one,
            ratingCount: one.ratingCount ?? 0,
          }));
          const score = (evidence: MarketEvidence) => scoreDifficulty(evidence, positions).score!;
          const raised = updateApp(known, index, (one) => ({
            ...one,
            ratingCount: one.ratingCount! + more,
          }));
          expect(score(raised)).toBeGreaterThanOrEqual(score(known));
          const named = updateApp(given, index, (one) => ({ ...one, title: given.phrase }));
          expect(score(named)).toBeGreaterThanOrEqual(score(given));
        },
      ),
      { numRuns },
    );
  });

  it('never fall with a title that has the words of the phrase written together', () => {
    fc.assert(
      fc.property(withSerp, fc.nat(19), fc.boolean(), (given, index, isTogether) => {
        const phrase = toWords('prize picks');
        const compact = { ...given, phrase: isTogether ? phrase : toWords('prizepicks') };
        const title = toWords(isTogether ? 'PrizePicks: Fantasy' : 'Prize Picks: Fantasy');
        const named = updateApp(compact, index, (one) => ({ ...one, title }));
        expect(scoreDifficulty(named).score!).toBeGreaterThanOrEqual(
          scoreDifficulty(compact).score!,
        );
      }),
      { numRuns },
    );
  });

  it('lie within their ranges, and a range is wider the less is known', () => {
    fc.assert(
      fc.property(market, (given) => {
        for (const { score, range } of [scoreTraffic(given), scoreDifficulty(given)]) {
          expect(range === null).toBe(score === null);
          if (score === null) continue;
          expect(range!.low).toBeLessThanOrEqual(score);
          expect(range!.high).toBeGreaterThanOrEqual(score);
          expect(range!.low).toBeGreaterThanOrEqual(0);
          expect(range!.high).toBeLessThanOrEqual(100);
        }
      }),
      { numRuns },
    );
    const full = fromGolden(goldenMarkets[0]!, { chartsKnown: true });
    const widthOf = (given: MarketEvidence) => {
      const { low, high } = scoreTraffic(given).range!;
      return high - low;
    };
    expect(widthOf({ ...full, chartsKnown: false })).toBeGreaterThan(widthOf(full));
    expect(widthOf({ ...full, serp: null })).toBeGreaterThan(widthOf(full));
    expect(widthOf({ ...full, hints: null })).toBeGreaterThan(widthOf({ ...full, serp: null }));
  });

  it('are stored with ranges only for scores of low confidence', () => {
    const full = fromGolden(goldenMarkets[0]!, { chartsKnown: true });
    expect(toNewScore(1, full)).toMatchObject({ trafficRange: null, difficultyRange: null });
    const low = toNewScore(1, { ...full, hints: null })!;
    expect(low.trafficRange).toEqual(scoreTraffic({ ...full, hints: null }).range);
    expect(low.provenance).toMatchObject({
      ranges: { traffic: low.trafficRange },
      difficulties: { top5: { score: expect.any(Number) }, top20: { score: expect.any(Number) } },
    });
  });
});

describe('traffic of version 2', () => {
  const offer = (whole: HintOffer): HintOffer[] => [whole];

  it('never rises with fewer continuations or without the plural', () => {
    fc.assert(
      fc.property(
        market,
        fc.nat(9),
        fc.nat(9),
        fc.nat(1),
        fc.option(fc.integer({ min: 1, max: 10 }), { nil: null }),
        (given, a, b, plural, position) => {
          const { text } = given.phrase;
          const score = (continuing: number, hasPlural: number) =>
            scoreTraffic({
              ...given,
              hints: { date: today, offered: offer([text, position, 10, continuing, hasPlural]) },
            }).score!;
          expect(score(Math.min(a, b), plural)).toBeLessThanOrEqual(score(Math.max(a, b), plural));
          expect(score(a, 0)).toBeLessThanOrEqual(score(a, 1));
        },
      ),
      { numRuns },
    );
  });

  it.each(['ios', 'android'] as const)(
    'of an offered phrase on %s is never less than without the offer',
    (store) => {
      fc.assert(
        fc.property(
          market,
          fc.nat(4),
          fc.nat(1),
          fc.integer({ min: 1, max: 5 }),
          fc.boolean(),
          (given, continuing, plural, position, isEarly) => {
            const { text } = given.phrase;
            const score = (early: number | null, whole: number | null) =>
              scoreTraffic({
                ...given,
                store,
                hints: {
                  date: today,
                  offered: [
                    [text.slice(0, 1), early, 5, 0, 0],
                    [text, whole, 5, continuing, plural],
                  ],
                },
              }).score!;
            expect(score(isEarly ? position : null, position)).toBeGreaterThanOrEqual(
              score(null, null),
            );
          },
        ),
        { numRuns: 300 },
      );
    },
  );

  it('of an offered word on Android names the signals that it was made without', () => {
    const scored = (position: number | null) =>
      scoreTraffic(
        fromGolden(goldenMarkets[2]!, {
          store: 'android',
          phrase: toWords('meditation'),
          hints: { date: today, offered: [['meditation', position, 5, 4, 0]] },
        }),
      );
    const { range, confidence, ...offered } = scored(1);
    const { range: wider, confidence: lower, ...unoffered } = scored(null);
    expect(offered).toEqual(unoffered);
    expect(offered.missing).toContain('early');
    // Only a phrase that is never suggested has a wider range.
    expect(range!.low).toBeGreaterThan(wider!.low);
    expect([confidence, lower]).toEqual(['low', 'low']);
  });

  it('is not zero for a popular phrase that the store never suggests', () => {
    const given = fromGolden(goldenMarkets[2]!, {
      hints: { date: today, offered: offer(['chess', null, 10, 0, 0]) },
    });
    const { score, confidence } = scoreTraffic(given);
    expect(score).toBeGreaterThan(15);
    expect(confidence).toBe('low');
  });

  it('of a single word on Android counts its continuations, not that it is missing itself', () => {
    const offered = offer(['chess', null, 5, 4, 1]);
    const android = fromGolden(goldenMarkets[2]!, {
      store: 'android',
      hints: { date: today, offered },
    });
    const ios: MarketEvidence = { ...android, store: 'ios' };
    expect(scoreTraffic(android).missing).toContain('early');
    expect(scoreTraffic(ios).missing).not.toContain('early');
    expect(scoreTraffic(android).score!).toBeGreaterThan(scoreTraffic(ios).score!);
  });

  it('on Android does not depend on the position in the list of suggestions', () => {
    const at = (position: number) =>
      scoreTraffic(
        fromGolden(goldenMarkets[0]!, {
          store: 'android',
          hints: { date: today, offered: [['hab', position, 5, 1, 0]] },
        }),
      ).score;
    expect(at(1)).toBe(at(5));
  });

  it('is the published number, with the estimate beside it', () => {
    fc.assert(
      fc.property(market, fc.nat(100), (given, popularity) => {
        const published = { popularity, genre: 'GAMES', period: '2026-02' };
        const traffic = scoreTraffic({ ...given, popularity: published });
        expect(traffic).toMatchObject({ score: popularity, confidence: 'high' });
        expect(traffic.range).toEqual({ low: popularity, high: popularity });
        expect(traffic.estimate!.score).toBe(scoreTraffic(given).score);
      }),
      { numRuns },
    );
  });

  it('of an unlisted phrase never exceeds the bound of its genre, nor a listed number', () => {
    fc.assert(
      fc.property(market, fc.nat(100), fc.nat(100), (given, bound, above) => {
        const unlisted = scoreTraffic({ ...given, popularityBound: bound });
        const plain = scoreTraffic(given);
        expect(unlisted.score ?? 0).toBeLessThanOrEqual(bound);
        expect(unlisted.score ?? 0).toBe(Math.min(plain.score ?? 0, bound));
        if (unlisted.range) {
          expect(unlisted.range.low).toBeLessThanOrEqual(unlisted.score!);
          expect(unlisted.range.high).toBeGreaterThanOrEqual(unlisted.score!);
          expect(unlisted.range.high).toBeLessThanOrEqual(bound);
        }
        const listed = Math.min(100, bound + above);
        const published = { popularity: listed, genre: 'GAMES', period: '2026-02' };
        expect(
          scoreTraffic({ ...given, popularity: published, popularityBound: bound }).score!,
        ).toBeGreaterThanOrEqual(unlisted.score ?? 0);
      }),
      { numRuns },
    );
  });

  it('reads position, continuations and plural from one response', () => {
    expect(readTerms(['chess', 'chess online', 'chesses', 'chessboard'], 'chess')).toEqual([
      1, 4, 1, 1,
    ]);
    expect(readTerms(['cameras', 'camera app'], 'camera')).toEqual([null, 2, 1, 1]);
    expect(readTerms([], 'camera')).toEqual([null, 0, 0, 0]);
  });
});
