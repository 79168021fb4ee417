import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packProvenance, unpackProvenance } from '#db/queries/scores/packed-provenance.ts';
import { toNewScore } from '#domain/insights/scores/score-markets.ts';
import { goldenMarkets } from './scores-golden.ts';
import { fromGolden, withSerp } from './scores.fixtures.ts';

/** As JSON has it: without members that are undefined, and without a negative zero. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const readBack = (value: unknown) => unpackProvenance(packProvenance(value));

describe('a packed provenance', () => {
  it('is read back exactly, whatever the evidence', () => {
    fc.assert(
      fc.property(withSerp, (market) => {
        const { provenance } = toNewScore(1, market)!;
        expect(readBack(provenance)).toEqual(asJson(provenance));
      }),
      { numRuns: 300 },
    );
    for (const golden of goldenMarkets) {
      const score = toNewScore(1, fromGolden(golden, {}));
      if (score) expect(readBack(score.provenance)).toEqual(asJson(score.provenance));
    }
  });

  it('may be any JSON, such as one of an older formula or of another instance', () => {
    const numbers = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: 0, max: 100_000 }).map((number) => number / 10_000),
    );
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('2026-02-28', '2026-02-30', '1969-12-31', '9999-12-31', 'ios', 'traffic'),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        numbers,
        texts,
        fc.constantFrom(null, true, false),
        fc.array(tie('value')),
        fc.dictionary(fc.oneof(texts, fc.constantFrom('low', 'high')), tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        expect(readBack(given)).toEqual(asJson(given));
      }),
      { numRuns: 500 },
    );
  });

  it('has the same bytes in any order of its members', () => {
    expect(packProvenance({ low: 1, high: 2, other: null })).toEqual(
      packProvenance({ other: null, high: 2, low: 1, left: undefined }),
    );
  });

  it('takes a fifth of its JSON', () => {
    const scores = goldenMarkets.flatMap((golden) => toNewScore(1, fromGolden(golden, {})) ?? []);
    const sizes = scores.map(({ provenance }) => [
      packProvenance(provenance).length,
      JSON.stringify(provenance).length,
    ]);
    const [packed, written] = [0, 1].map((at) => sizes.reduce((sum, size) => sum + size[at]!, 0));
    expect(packed! / written!).toBeLessThan(0.2);
  });

  it('of an unknown version or cut off is refused', () => {
    const packed = packProvenance({ formula: 'a formula' });
    expect(() => unpackProvenance(Buffer.concat([Buffer.of(2), packed.subarray(1)]))).toThrow(
      'unknown version 2',
    );
    expect(() => unpackProvenance(packed.subarray(0, -1))).toThrow(RangeError);
  });
});
