import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoreDifficulty } from '#domain/insights/scores/difficulty.ts';
import type { HintEvidence } from '#domain/insights/scores/evidence.ts';
import { difficultyFormulas, trafficFormulas } from '#domain/insights/scores/formulas.ts';
import { fetchHints } from '#domain/insights/scores/fetch-hints.ts';
import { listPrefixes, searchHints } from '#domain/insights/scores/hint-search.ts';
import { listFormulas } from '#domain/insights/scores/list-formulas.ts';
import { scoreOpportunity } from '#domain/insights/scores/opportunity.ts';
import { toNewScore } from '#domain/insights/scores/score-markets.ts';
import { isNamed, matchTitle, toWords } from '#domain/insights/scores/title-match.ts';
import { scoreTraffic } from '#domain/insights/scores/traffic.ts';
import { unavailable } from '#stores/store-errors.ts';
import { goldenMarkets } from './scores-golden.ts';
import { fromGolden, market, today, updateApp, withSerp } from './scores.fixtures.ts';

describe('scores of any evidence', () => {
  it('are whole numbers from 0 to 100, or null with the missing facts, repeatably', () => {
    fc.assert(
      fc.property(market, (given) => {
        for (const scored of [scoreTraffic(given), scoreDifficulty(given)]) {
          if (scored.score === null) expect(scored.missing.length).toBeGreaterThan(0);
          else
            expect(Number.isInteger(scored.score) && scored.score >= 0 && scored.score <= 100).toBe(
              true,
            );
          const points = scored.evidence.reduce((sum, item) => sum + item.points, 0);
          if (scored.score !== null && scored.evidence.length > 0)
            expect(Math.abs(points - scored.score)).toBeLessThan(0.6);
        }
        expect(toNewScore(1, structuredClone(given))).toEqual(toNewScore(1, given));
      }),
      { numRuns: 1_500 },
    );
  });
});

describe('difficulty', () => {
  it('never falls with more ratings', () => {
    fc.assert(
      fc.property(
        withSerp,
        fc.nat(9),
        fc.integer({ min: 1, max: 90_000_000 }),
        (given, index, more) => {
          const known = updateApp(given, index, (one) => ({
            ...one,
            ratingCount: one.ratingCount ?? 0,
          }));
          const raised = updateApp(known, index, (one) => ({
            ...one,
            ratingCount: one.ratingCount! + more,
          }));
          expect(scoreDifficulty(raised).score!).toBeGreaterThanOrEqual(
            scoreDifficulty(known).score!,
          );
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it('never falls with a title that contains the phrase', () => {
    fc.assert(
      fc.property(
        withSerp,
        fc.nat(9),
        fc.constantFrom('', 'Nosy: ', '東京'),
        (given, index, before) => {
          const named = updateApp(given, index, (one) => ({
            ...one,
            title: toWords(`${before}${given.phrase.text}`),
          }));
          if (!isNamed(given.phrase, toWords(`${before}${given.phrase.text}`))) return;
          expect(scoreDifficulty(named).score!).toBeGreaterThanOrEqual(
            scoreDifficulty(given).score!,
          );
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it('is lower if the store has few matching apps', () => {
    const full = fromGolden(goldenMarkets[0]!);
    const few = {
      ...full,
      serp: { ...full.serp!, resultCount: 2, top: full.serp!.top.slice(0, 2), positions: 20 },
    };
    expect(scoreDifficulty(few).score!).toBeLessThan(scoreDifficulty(full).score! - 20);
    const none = { ...full, serp: { ...full.serp!, resultCount: 0, top: [], positions: 20 } };
    expect(scoreDifficulty(none).score).toBe(0);
    const padded = {
      ...full,
      serp: {
        ...full.serp!,
        top: full.serp!.top.map((one) => ({ ...one, title: toWords('Stocks') })),
      },
    };
    expect(scoreDifficulty(padded).score!).toBeLessThan(scoreDifficulty(full).score! - 20);
  });

  it('is raised for a brand, and says so', () => {
    const given = fromGolden(goldenMarkets[2]!);
    const owned = updateApp(given, 0, (one) => ({
      ...one,
      title: toWords('Chess - Play & Learn'),
      developer: toWords('Chess Inc.'),
    }));
    const another = updateApp(owned, 0, (one) => ({ ...one, developer: toWords('Someone Else') }));
    const lifted = scoreDifficulty(owned);
    expect(lifted.score!).toBeGreaterThan(scoreDifficulty(another).score! + 10);
    expect(lifted.evidence.map((item) => item.signal)).toContain('brand');
    expect(toNewScore(1, owned)!.provenance).toMatchObject({ inputs: { brand: true } });
    expect(toNewScore(1, another)!.provenance).toMatchObject({ inputs: { brand: false } });
  });

  it('is raised for a brand whose words are written together', () => {
    const given = fromGolden(goldenMarkets[0]!, { phrase: toWords('prize picks') });
    const named = (developer: string) =>
      toNewScore(
        1,
        updateApp(given, 0, (one) => ({
          ...one,
          title: toWords('PrizePicks - Fantasy'),
          developer: toWords(developer),
          ratingCount: 400_000,
        })),
      )!;
    const [brand, other] = [named('PrizePicks, LLC'), named('Someone Else')];
    expect(brand.provenance).toMatchObject({ inputs: { brand: true, exactTitles: 1 } });
    expect(other.provenance).toMatchObject({ inputs: { brand: false, exactTitles: 1 } });
    expect(brand.difficulty!).toBeGreaterThan(other.difficulty! + 10);
  });

  it.each([
    ['ios', 300],
    ['android', 1_000],
  ] as const)('begins with strength above a few ratings on %s', (store, none) => {
    const given = fromGolden(goldenMarkets[0]!, { store });
    const valueOf = (ratingCount: number) => {
      const top = given.serp!.top.map((one) => ({ ...one, ratingCount }));
      const { evidence } = scoreDifficulty({ ...given, serp: { ...given.serp!, top } });
      return evidence.find(({ signal }) => signal === 'leaders')!.value;
    };
    expect(valueOf(0)).toBe(0);
    expect(valueOf(none)).toBe(0);
    expect(valueOf(1_001)).toBeLessThan(0.15);
    expect(valueOf(100_000)).toBeGreaterThan(0.35);
  });

  it('counts an app below three stars like one with three', () => {
    const scoreWith = (rating: number) =>
      scoreDifficulty(updateApp(fromGolden(goldenMarkets[0]!), 0, (one) => ({ ...one, rating })));
    for (const rating of [1, 2.9]) expect(scoreWith(rating)).toEqual(scoreWith(3));
    expect(scoreWith(4)).not.toEqual(scoreWith(3));
  });

  it('treats rating counts that Google Play hides as unknown, not as zero', () => {
    const given = fromGolden(goldenMarkets[0]!, { store: 'android' });
    const hidden = {
      ...given,
      serp: { ...given.serp!, top: given.serp!.top.map((one) => ({ ...one, ratingCount: null })) },
    };
    expect(scoreDifficulty(hidden)).toMatchObject({
      missing: ['strength', 'leaders', 'age'],
      confidence: 'low',
    });
  });

  it('counts an App Store app as unrated only when it shows no rating either', () => {
    const given = fromGolden(goldenMarkets[0]!, { store: 'ios' });
    const strengthWith = (facts: { rating: number | null; ratingCount: null }) => {
      const top = given.serp!.top.map((one) => ({ ...one, ...facts }));
      const { evidence } = scoreDifficulty({ ...given, serp: { ...given.serp!, top } });
      return evidence.find((item) => item.signal === 'strength');
    };
    expect(strengthWith({ rating: null, ratingCount: null })).toMatchObject({ value: 0 });
    expect(strengthWith({ rating: 4.5, ratingCount: null })).toBeUndefined();
  });
});

describe('traffic', () => {
  const offeredAt = (prefix: string | null, phrase: string, position: number): HintEvidence => ({
    date: today,
    offered: prefix === null ? [[phrase, null]] : [[prefix, position]],
  });

  it('never rises with a longer shortest prefix, or when no prefix offers the phrase', () => {
    const anyPhrase = fc
      .array(fc.constantFrom(...'abcde fg写真ก'), { minLength: 2, maxLength: 30 })
      .map((all) => all.join('').trim());
    fc.assert(
      fc.property(
        market,
        anyPhrase,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 10 }),
        (given, phrase, a, b, position) => {
          if (phrase.length < 2) return;
          const [short, long] = [1 + (a % phrase.length), 1 + (b % phrase.length)].toSorted(
            (x, y) => x - y,
          ) as [number, number];
          const score = (hinted: HintEvidence) =>
            scoreTraffic({ ...given, phrase: toWords(phrase), hints: hinted }).score!;
          const early = score(offeredAt(phrase.slice(0, short), phrase, position));
          const late = score(offeredAt(phrase.slice(0, long), phrase, position));
          expect(late).toBeLessThanOrEqual(early);
          expect(score(offeredAt(null, phrase, position))).toBeLessThanOrEqual(late);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it('without hints has low confidence, and without any evidence is null', () => {
    const given = fromGolden(goldenMarkets[0]!, { hints: null });
    expect(scoreTraffic(given)).toMatchObject({
      missing: ['early', 'rank', 'continuations', 'charts'],
      confidence: 'low',
      score: expect.any(Number),
    });
    expect(scoreTraffic({ ...given, serp: null })).toEqual({
      score: null,
      range: null,
      evidence: [],
      missing: ['early', 'rank', 'continuations', 'length', 'charts', 'serp'],
      confidence: 'low',
      estimate: null,
    });
    expect(toNewScore(1, { ...given, serp: null })).toBeNull();
    const chartsOnly = fromGolden(goldenMarkets[0]!, {
      store: 'android',
      hints: null,
      chartsKnown: true,
    });
    const hidden = {
      ...chartsOnly.serp!,
      top: chartsOnly.serp!.top.map((one) => ({ ...one, ratingCount: null, chartPosition: 1 })),
    };
    expect(scoreTraffic({ ...chartsOnly, serp: hidden })).toEqual({
      score: null,
      range: null,
      evidence: [],
      missing: ['early', 'continuations', 'serp'],
      confidence: 'low',
      estimate: null,
    });
  });

  it('ignores hints that are too old', () => {
    const { hintMaxAgeDays } = trafficFormulas.ios.normalisations;
    const aged = (date: string) =>
      scoreTraffic(fromGolden(goldenMarkets[0]!, { hints: { date, offered: [['h', 1]] } })).missing;
    expect(hintMaxAgeDays).toBe(30);
    expect(aged('2026-01-30')).not.toContain('early');
    expect(aged('2026-01-29')).toContain('early');
  });

  it('rises if the first ten apps are in the charts', () => {
    const known = fromGolden(goldenMarkets[0]!, { chartsKnown: true });
    const charting = {
      ...known,
      serp: { ...known.serp!, top: known.serp!.top.map((one) => ({ ...one, chartPosition: 5 })) },
    };
    expect(scoreTraffic(charting).score!).toBeGreaterThan(scoreTraffic(known).score!);
    expect(toNewScore(1, charting)!.provenance).toMatchObject({ inputs: { chartingApps: 10 } });
    expect(toNewScore(1, known)!.provenance).toMatchObject({ inputs: { chartingApps: 0 } });
  });
});

describe('titles', () => {
  const values = difficultyFormulas.ios.normalisations;
  const match = (phrase: string, title: string) =>
    matchTitle(toWords(phrase), toWords(title), values);

  it('contain a phrase completely, as separate words, partly, or not', () => {
    expect(match('habit tracker', 'Nosy: Habit Tracker & Journal')).toBe(1);
    expect(match('habit tracker', 'Tracker of every Habit')).toBeCloseTo(0.9);
    expect(match('habit tracker', 'Habit - Mood Tracker')).toBeGreaterThanOrEqual(0.85);
    expect(match('habit tracker', 'Habit - Mood Tracker')).toBeLessThan(1);
    expect(match('habit tracker', 'Time Tracker')).toBe(0.25);
    expect(match('habit tracker', 'Stocks')).toBe(0);
    expect(match('habit', 'Habits')).toBe(0);
    expect(match('prize picks', 'PrizePicks - Fantasy Game')).toBe(1);
    expect(match('prizepicks', 'Prize Picks')).toBe(1);
    expect(match('a b', 'AB')).toBe(0);
    expect(match('prize picks', 'Prizepicksy')).toBe(0);
    expect(match('istanbul kart', 'İSTANBUL KART')).toBe(1);
  });

  it('of plain letters are split like all others', () => {
    const anyTitle = fc
      .array(fc.constantFrom(...'abz019  '), { maxLength: 30 })
      .map((all) => all.join(''));
    const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
    fc.assert(
      fc.property(anyTitle, (title) => {
        const segments = [...segmenter.segment(title)]
          .filter((part) => part.isWordLike)
          .map((part) => part.segment);
        expect(toWords(title).words).toEqual(segments);
      }),
    );
  });

  it('are split in scripts without spaces', () => {
    expect(match('写真', 'Treny: 写真加工')).toBe(1);
    expect(match('写真 加工', 'かわいい加工と写真')).toBeGreaterThanOrEqual(0.85);
    expect(match('แต่งรูป', 'แอปแต่งรูปสวย')).toBe(1);
    expect(match('عادة يومية', 'تطبيق عادة يومية')).toBe(1);
  });
});

describe('hints', () => {
  const search = async (phrase: string, from: number | null) => {
    const offered = await searchHints(phrase, (prefix) =>
      Promise.resolve([from !== null && [...prefix].length >= from ? 2 : null, 5, 0, 0]),
    );
    const shortest = offered
      .filter(([, position]) => position !== null)
      .map(([prefix]) => [...prefix].length);
    return {
      questions: offered.length,
      shortest: shortest.length === 0 ? null : Math.min(...shortest),
    };
  };

  it('are found with four requests at most, or one if the phrase is not offered', async () => {
    const phrase = 'photo editor for all of us';
    const lengths = listPrefixes(phrase).map((prefix) => prefix.length);
    expect(lengths).toEqual([1, 2, 3, 4, 5, 9, 14, 26]);
    for (let from = 1; from <= phrase.length; from += 1) {
      const { questions, shortest } = await search(phrase, from);
      expect(questions).toBeLessThanOrEqual(4);
      expect(shortest).toBe(lengths.find((length) => length >= from));
    }
    expect(await search(phrase, null)).toEqual({ questions: 1, shortest: null });
    expect(await search('x', 1)).toEqual({ questions: 1, shortest: 1 });
  });

  it('that fail at a later request have the cost of all requests', async () => {
    let sent = 0;
    const hints = async () => {
      if (++sent === 3) throw unavailable('ios', 'busy');
      return { terms: ['photo editor'], cost: { requests: 2, bytes: 0, ms: 0 } };
    };
    const query = { store: 'ios' as const, country: 'us', phrase: 'photo editor' };
    const options = { signal: new AbortController().signal, lane: 'interactive' as const };
    await expect(fetchHints({ ios: { hints } } as never, query, options)).rejects.toMatchObject({
      marker: 'busy',
      cost: { requests: 4 },
    });
  });

  it('are requested for whole characters only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (phrase) => {
        const prefixes = listPrefixes(phrase);
        expect(prefixes.length).toBeLessThanOrEqual(8);
        expect(prefixes.at(-1)).toBe(phrase);
        expect(prefixes.every((prefix) => prefix.isWellFormed() && phrase.startsWith(prefix))).toBe(
          true,
        );
      }),
    );
    expect(listPrefixes('👩‍👩‍👧 x')).toEqual(['👩‍👩‍👧', '👩‍👩‍👧 x']);
  });
});

describe('opportunity', () => {
  const own = {
    name: toWords('Lumen: Habit Tracker'),
    subtitle: toWords('Mood diary'),
    description: toWords('Plan your day with friends.'),
  };
  const base = {
    phrase: 'habit tracker',
    traffic: 80,
    trafficBasis: 'estimate' as const,
    difficulty: 40,
    position: 20,
    depth: 200,
  };
  const of = (given: Partial<typeof base> | { position: null }) =>
    scoreOpportunity({ ...base, ...given }, own).opportunity;

  it('is volume × (1 − (difficulty/100)²) × headroom × relevance, with its parts', () => {
    expect(scoreOpportunity({ ...base, position: null }, own)).toEqual({
      opportunity: 67,
      components: {
        traffic: 80,
        trafficBasis: 'estimate',
        difficulty: 40,
        position: null,
        depth: 200,
        headroom: 100,
        relevance: 100,
      },
      explanation:
        'Traffic 80 (estimated), of which difficulty 40 leaves 84 % within reach; not found in ' +
        'the first 200, so 100 % can still be gained; ' +
        'the relevance of the listing is 100 %. Opportunity 67 of 100.',
    });
    expect(of({ position: 1 })).toBe(0);
    const explain = (trafficBasis: 'published' | 'bound') =>
      scoreOpportunity({ ...base, trafficBasis }, own).explanation;
    expect(explain('published')).toContain('Traffic 80 (published by the store), of which');
    expect(explain('bound')).toContain('without being listed by the store');
  });

  it('rises with traffic and worse positions, falls with difficulty, needs relevance', () => {
    fc.assert(
      fc.property(
        fc.nat(100),
        fc.nat(100),
        fc.integer({ min: 1, max: 9 }),
        (low, high, position) => {
          const [less, more] = [Math.min(low, high), Math.max(low, high)];
          expect(of({ traffic: less })).toBeLessThanOrEqual(of({ traffic: more }));
          expect(of({ difficulty: more })).toBeLessThanOrEqual(of({ difficulty: less }));
          expect(of({ position })).toBeLessThanOrEqual(of({ position: position + 1 }));
        },
      ),
    );
    const relevances = ['habit tracker', 'mood', 'friends', 'stocks'].map(
      (phrase) => scoreOpportunity({ ...base, phrase, position: null }, own).components.relevance,
    );
    expect(relevances).toEqual([100, 94, 82, 40]);
    expect(
      scoreOpportunity({ ...base, phrase: 'stocks', position: 8 }, own).components.relevance,
    ).toBe(100);
  });
});

it('scores of the simulator’s stored searches have not changed', () => {
  const scored = goldenMarkets.map((golden) => toNewScore(1, fromGolden(golden))!);
  expect(
    scored.map(({ traffic, difficulty, confidence }, index) => [
      goldenMarkets[index]!.phrase,
      traffic,
      difficulty,
      confidence,
    ]),
  ).toEqual([
    ['habit tracker', 72, 64, 'medium'],
    ['mood journal', 79, 31, 'medium'],
    ['chess', 88, 44, 'medium'],
    ['photo editor for kids', 43, 27, 'medium'],
    ['写真', 89, 73, 'medium'],
  ]);
});

it('every weight is described, weights add up to 1, and every number is explained', () => {
  const { formulas } = listFormulas();
  expect(formulas.map((formula) => formula.id)).toEqual([
    'traffic.ios@2',
    'difficulty.ios@2',
    'traffic.android@2',
    'difficulty.android@2',
    'opportunity@1',
  ]);
  for (const { weights, normalisations } of formulas) {
    if (weights.length > 0)
      expect(weights.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 10);
    expect([...weights, ...normalisations].every(({ meaning }) => meaning.length > 10)).toBe(true);
  }
});
