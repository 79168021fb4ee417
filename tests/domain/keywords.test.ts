import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { updateTrackingPeriods } from '#domain/tracking/keywords/update-tracking-periods.ts';
import {
  awaitedByte,
  trackedDepthOn,
  trackedDepths,
} from '#domain/tracking/rankings/tracking-periods.ts';
import { findPhraseError } from '#domain/base/text/phrase.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { parseKeywords, type AddKeywordsBody } from '#domain/tracking/keywords/parse-keywords.ts';
import type { AppError } from '#domain/base/errors.ts';
import { anyCharacter } from '../harness/any-character.ts';

const fault = (text: string) => findPhraseError('phrase', text);
const codeOf = (work: () => unknown) => {
  try {
    work();
    return null;
  } catch (error) {
    return error as AppError;
  }
};

describe('a phrase', () => {
  it('is the same however it was typed', () => {
    for (const text of [
      'Photo  Editor',
      ' photo editor ',
      'PHOTO\u00a0EDITOR',
      'ｐｈｏｔｏ　ｅｄｉｔｏｒ',
      'photo \u2003 editor',
    ]) {
      expect(normalisePhrase(text)).toBe('photo editor');
    }
    expect(normalisePhrase('Cafe\u0301')).toBe('café');
    expect(normalisePhrase('ΟΔΟΣ')).toBe('οδος');
    for (const text of ['İSTANBUL', 'I\u0307stanbul', 'i\u0307stanbul', 'istanbul'])
      expect(normalisePhrase(text)).toBe('istanbul');
    expect(normalisePhrase('写真 加工')).toBe('写真 加工');
  });

  it('does not change when normalized again', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const once = normalisePhrase(text);
        return normalisePhrase(once) === once;
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['letters', 'a'],
    ['emoji of two UTF-16 units', '😀'],
    ['CJK', '写'],
    ['CJK outside the basic plane', '𠮷'],
    ['Thai', 'ก'],
  ])('has at most 100 characters: %s', (_name, unit) => {
    expect(fault(unit.repeat(100))).toBeNull();
    expect(fault(unit.repeat(101))).toMatchObject({
      code: 'phrase_too_long',
      issue: { limit: 100, actual: 101 },
    });
  });

  it('counts combining marks as sent, and letters as normalized', () => {
    expect(fault('e\u0301'.repeat(50))).toBeNull();
    expect(fault('e\u0301'.repeat(51))).toMatchObject({
      code: 'phrase_too_long',
      issue: { actual: 102 },
    });
    expect(fault('ﬃ'.repeat(33))).toBeNull();
    expect(fault('ﬃ'.repeat(34))).toMatchObject({
      code: 'phrase_too_long',
      issue: { actual: 102 },
    });
    expect(fault(`a${' '.repeat(99)}b`)).toMatchObject({
      code: 'phrase_too_long',
      issue: { actual: 101 },
    });
    expect(fault('İ'.repeat(100))).toBeNull();
    expect(fault('İ'.repeat(101))).toMatchObject({
      code: 'phrase_too_long',
      issue: { actual: 101 },
    });
  });

  it('has at most five words', () => {
    expect(fault('a b c d e')).toBeNull();
    expect(fault('a b c d e f')).toMatchObject({
      code: 'too_many_words',
      issue: { limit: 5, actual: 6 },
    });
    expect(fault('  a　b\u00a0c d   e ')).toBeNull();
    expect(fault('写真加工写真加工写真加工')).toBeNull();
    expect(fault('写 真 加 工 写 真')).toMatchObject({ code: 'too_many_words' });
  });

  it('is refused if it is invisible or contains what no store accepts', () => {
    for (const text of [
      ' ',
      '\u3000',
      '\u200b',
      '\u200b \ufeff',
      'a\0b',
      'a\u0007',
      'x\ud800',
      '\udc00x',
      'a\u0085b',
    ]) {
      expect(fault(text)?.code, JSON.stringify(text)).toBe('invalid_request');
    }
    expect(fault('👩‍👩‍👧')).toBeNull();
    const body = { keywords: [{ phrase: '\ta\n b\r\n', country: 'us' }] };
    expect(parseKeywords(body, { depth: 200, devices: ['iphone'] })).toEqual([
      { phrase: 'a b', country: 'us', device: 'iphone', depth: 200, tags: [] },
    ]);
  });
});

describe('a request for keywords', () => {
  const item = (index: number) => ({ phrase: `phrase ${index}`, country: 'us' });
  const devices = ['iphone', 'ipad', 'mac'];
  const parse = (body: AddKeywordsBody) => parseKeywords(body, { depth: 200, devices });

  it('has at most 200 keywords, after the cross product and with duplicates', () => {
    expect(
      parse({ keywords: Array.from({ length: 200 }, (_, index) => item(index)) }),
    ).toHaveLength(200);
    expect(
      codeOf(() => parse({ keywords: Array.from({ length: 201 }, () => item(0)) }))?.code,
    ).toBe('too_many_keywords');
    const phrases = Array.from({ length: 20 }, (_, index) => `phrase ${index}`);
    const countries = ['us', 'de', 'fr', 'jp', 'gb', 'it', 'es', 'nl', 'se', 'no'];
    expect(parse({ phrases, countries })).toHaveLength(200);
    const refused = codeOf(() => parse({ phrases: [...phrases, 'one more'], countries }));
    expect(refused?.detail.issues).toEqual([
      {
        path: 'phrases × countries',
        code: 'too_large',
        message: 'keywords in a request',
        limit: 200,
        actual: 210,
      },
    ]);
    const onAll = codeOf(() => parse({ phrases: phrases.slice(0, 7), countries, devices }));
    expect(onAll?.detail.issues).toMatchObject([
      { path: 'phrases × countries × devices', limit: 200, actual: 210 },
    ]);
  });

  it('is refused as a whole with every issue and the code of the first', () => {
    const refused = codeOf(() =>
      parse({
        keywords: [
          item(0),
          { phrase: 'a b c d e f', country: 'US' },
          { phrase: 'x'.repeat(101), country: 'us', tags: ['a\0'] },
        ],
      }),
    );
    expect(refused?.code).toBe('too_many_words');
    expect(refused?.detail.issues?.map((issue) => issue.path)).toEqual([
      'keywords.1.phrase',
      'keywords.1.country',
      'keywords.2.phrase',
      'keywords.2.tags.0',
    ]);
  });

  it('is for the first device of the store unless it names others', () => {
    const named = { phrase: 'a', country: 'us', device: 'mac' };
    const { keywords } = { keywords: [{ phrase: 'a', country: 'us' }, named] };
    expect(parse({ keywords }).map(({ device }) => device)).toEqual(['iphone', 'mac']);
    const product = { phrases: ['a', 'b'], countries: ['us', 'de'] };
    expect(new Set(parse(product).map(({ device }) => device))).toEqual(new Set(['iphone']));
    const markets = parse({ ...product, devices: ['ipad', 'mac'] }).map(
      ({ phrase, country, device }) => `${phrase} ${country} ${device}`,
    );
    expect(markets).toEqual([
      'a us ipad',
      'a us mac',
      'a de ipad',
      'a de mac',
      'b us ipad',
      'b us mac',
      'b de ipad',
      'b de mac',
    ]);
  });

  it.each(['phone', 'iPad', 'watch', '', ' mac', 'ipad\0', '\ud800'])(
    'refuses the device %j with those that there are',
    (device) => {
      const message = 'one of iphone, ipad, mac';
      const issues = (body: AddKeywordsBody) => codeOf(() => parse(body))?.detail.issues;
      expect(issues({ keywords: [{ phrase: 'a', country: 'us', device }] })).toMatchObject([
        { path: 'keywords.0.device', message },
      ]);
      const countries = ['us'];
      expect(issues({ phrases: ['a'], countries, devices: ['mac', device] })).toMatchObject([
        { path: 'devices.1', message },
      ]);
    },
  );

  it.each(['US', 'usa', 'u', '', 'u1', 'uк', ' us', 'us\n'])(
    'refuses the country %j',
    (country) => {
      expect(codeOf(() => parse({ phrases: ['a'], countries: [country] }))?.code).toBe(
        'invalid_country',
      );
    },
  );
});

describe('the tracking periods of a keyword', () => {
  const today = '2026-11-21';
  const followed = [['2026-11-01', 200]];
  const change = (stored: unknown, depth: number, hasRankToday: boolean) =>
    updateTrackingPeriods(stored, { now: new Date(`${today}T00:10:00Z`), depth, hasRankToday });

  it('are paused today before the check, and tomorrow after it', () => {
    expect(change(followed, 0, false)).toEqual([
      ['2026-11-01', 200],
      [today, 0],
    ]);
    expect(change(followed, 0, true)).toEqual([
      ['2026-11-01', 200],
      ['2026-11-22', 0],
    ]);
  });

  it('are restored when a change of the same day is undone after the check', () => {
    expect(change(change(followed, 0, true), 200, true)).toEqual(followed);
    expect(change(change([[today, 50]], 10, true), 50, true)).toEqual([[today, 50]]);
  });

  it('await the check of a keyword whose day others may have had searched', () => {
    expect(change([], 200, false)).toEqual([[today, 200, -601]]);
    const resumed = change(change(followed, 0, false), 200, false);
    expect(resumed).toEqual([
      ['2026-11-01', 200],
      [today, 0],
      [today, 200, -601],
    ]);
    expect([...trackedDepths(resumed, ['2026-11-20', today])]).toEqual([200, awaitedByte]);
    expect(trackedDepthOn(resumed, today)).toBe(0);
    // A greater depth leaves today as it was until then.
    expect(change([[today, 50]], 100, true)).toEqual([
      [today, 50],
      [today, 100, -601],
    ]);
    expect(change(change([], 200, false), 100, false)).toEqual([[today, 100, -601]]);
    // Another app of the workspace had the market searched.
    expect(change([], 200, true)).toEqual([[today, 200]]);
  });

  it('deepen today, and become shallower tomorrow once today is checked', () => {
    expect(change([['2026-11-01', 50]], 200, true)).toEqual([
      ['2026-11-01', 50],
      [today, 200, -601],
    ]);
    expect(change(followed, 50, true)).toEqual([
      ['2026-11-01', 200],
      ['2026-11-22', 50],
    ]);
    expect(change(change(followed, 50, true), 100, true)).toEqual([
      ['2026-11-01', 200],
      ['2026-11-22', 100],
    ]);
  });
});
