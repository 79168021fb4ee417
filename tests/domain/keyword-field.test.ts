import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { AppError } from '#domain/base/errors.ts';
import { listFieldWords, readFieldText } from '#domain/insights/keyword-field/field-text.ts';
import { combineWords } from '#domain/insights/keyword-field/combine-words.ts';
import { fillFree } from '#domain/insights/keyword-field/fill-free.ts';
import {
  countWasted,
  isWasted,
  evaluateWords,
} from '#domain/insights/keyword-field/evaluate-words.ts';
import { differByPlural, holdsWord, listMissingWords, wordFinder } from '#lib/phrase-words.ts';
import { advertisingWords, functionWords } from '#lib/stop-words.ts';
import { countCharacters } from '#lib/text.ts';
import { normalise } from '#web/pages/keyword-field/normalise.ts';

const normal = (text: string) => readFieldText(text, 100).normalized;
function refusal(text: string): AppError {
  try {
    readFieldText(text, 100);
  } catch (error) {
    return error as AppError;
  }
  throw new Error('was not refused');
}

describe('the text of a keyword field', () => {
  it('is normalized as the store counts: split, each phrase once, no extra spaces', () => {
    expect(normal(' Photo ,  photo,PHOTO\nEditor\r\n\r\nphoto  editor,,')).toBe(
      'photo,editor,photo editor',
    );
    expect(normal('写真，加工、編集')).toBe('写真,加工、編集');
    expect(normal('ﬁtness,Cafe\u0301')).toBe('fitness,café');
    expect(normal('a\u2028b\tc')).toBe('a,b c');
    expect([normal(''), normal(' , \n,')]).toEqual(['', '']);
  });

  it('has at most 1,000 code points as sent', () => {
    expect(normal(`a${' '.repeat(999)}`)).toBe('a');
    expect(normal(`a${','.repeat(999)}`)).toBe('a');
    expect(normal('😀,'.repeat(500))).toBe('😀');
    const refused = refusal(`a${' '.repeat(1_000)}`);
    expect([refused.code, refused.detail.issues]).toEqual([
      'keyword_field_too_long',
      [
        {
          path: 'text',
          code: 'too_large',
          message: 'characters of the text',
          limit: 1_000,
          actual: 1_001,
        },
      ],
    ]);
    expect(refusal(`${'😀'.repeat(1_000)}a`).code).toBe('keyword_field_too_long');
  });

  it.each([
    ['letters', 'a'],
    ['emoji of two UTF-16 units', '😀'],
    ['CJK', '写'],
  ])('has at most 100 code points when normalized: %s', (_name, unit) => {
    const hundred = `${unit.repeat(48)},${unit.repeat(51)}`;
    expect(countCharacters(normal(hundred))).toBe(100);
    const refused = refusal(`${hundred}${unit}`);
    expect([refused.code, refused.detail.issues]).toEqual([
      'keyword_field_normalized_too_long',
      [
        {
          path: 'text',
          code: 'too_large',
          message: 'characters of the normalised field',
          limit: 100,
          actual: 101,
        },
      ],
    ]);
  });

  it('counts combining marks in normalized form', () => {
    expect(countCharacters(normal('e\u0301'.repeat(100)))).toBe(100);
    expect(refusal('ﬃ'.repeat(34)).code).toBe('phrase_too_long');
  });

  it('has phrases of at most 100 characters and 5 words, whatever the spacing', () => {
    expect(normal('x'.repeat(100))).toHaveLength(100);
    expect(refusal('x'.repeat(101)).code).toBe('phrase_too_long');
    expect(refusal('x'.repeat(101)).detail.issues?.map((issue) => issue.message)).toEqual([
      'characters in a phrase',
      'characters of the normalised field',
    ]);
    expect(normal(`photo${' '.repeat(400)}editor`)).toBe('photo editor');
    expect(normal('a b c d e')).toBe('a b c d e');
    expect(refusal('fine,a b c d e f').code).toBe('too_many_words');
  });

  it('is refused if it has characters that no field can hold', () => {
    for (const text of ['a\0b', 'a\u0007b', '\ud800', '\u200b,a', 'a\u0085b'])
      expect(refusal(text).code, JSON.stringify(text)).toBe('invalid_request');
  });

  it('is counted alike in the dashboard, which names what is dropped', () => {
    const texts = [
      ' Photo ,  photo,PHOTO\nEditor\r\n\r\nphoto  editor,,',
      '写真，加工、編集',
      'ﬁtness,Cafe\u0301',
      'a\u2028b\tc',
      '',
      ' , \n,',
      'İ,ǅ',
    ];
    expect(texts.map((text) => normalise(text).text)).toEqual(texts.map(normal));
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'B', ' ', ',', '，', '\n', '\t', 'é', '😀'), {
          maxLength: 40,
        }),
        (parts) => {
          const text = parts.join('');
          expect(normalise(text).text).toBe(normal(text));
        },
      ),
    );
    expect(normalise('Calm , calm,,zen')).toMatchObject({
      doubles: ['calm'],
      needless: 3,
      isLowered: true,
    });
    expect(normalise('calm,zen')).toMatchObject({ doubles: [], needless: 0, isLowered: false });
  });

  it('is stable when normalized again, and never above its limit', () => {
    const parts = fc.array(
      fc.oneof(
        fc.string({ maxLength: 12, unit: 'grapheme' }),
        fc.constantFrom(',', ' ', '\n', 'É', '，', 'photo'),
      ),
      {
        maxLength: 30,
      },
    );
    fc.assert(
      fc.property(parts, (words) => {
        let once: string;
        try {
          once = normal(words.join(''));
        } catch {
          return true;
        }
        return (
          normal(once) === once && countCharacters(once) <= 100 && !/, | ,|,,|^,|,$/.test(once)
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('words', () => {
  it('are found at their borders, and anywhere in scripts without spaces', () => {
    expect(holdsWord('Lumen: Habit-Tracker', 'tracker')).toBe(true);
    expect(holdsWord('Lumen: Habit-Tracker', 'track')).toBe(false);
    expect(holdsWord('写真加工アプリ', '加工')).toBe(true);
    expect(holdsWord('แต่งรูปภาพ', 'รูป')).toBe(true);
    expect(holdsWord('صور و فيديو', 'صور')).toBe(true);
    expect(holdsWord('C++ course', '++')).toBe(true);
  });

  it.each([
    ['photo & video', 'photo and video', []],
    ['photo & video', 'photo', ['video']],
    ['to - do | list', 'to do list', []],
    ['photo 🦊', 'photo', ['🦊']],
    ['vpn 🇩🇪', 'vpn', ['🇩🇪']],
    ['c++ course', 'course', ['c++']],
    ['&', 'photo', ['&']],
    ['& +', 'photo', ['&', '+']],
  ])('of "%s" the text "%s" lacks %j', (phrase, text, missing) => {
    expect(listMissingWords(phrase, wordFinder(text))).toEqual(missing);
  });

  it.each([
    ['photo', 'photos', true],
    ['story', 'stories', true],
    ['box', 'boxes', true],
    ['watch', 'watches', true],
    ['movie', 'movies', true],
    ['size', 'sizes', true],
    ['course', 'courses', true],
    ['purchase', 'purchases', true],
    ['cache', 'caches', true],
    ['series', 'story', false],
    ['bases', 'bass', false],
    ['bus', 'bu', false],
    ['class', 'clas', false],
    ['photo', 'photo', false],
    ['news', 'new', false],
    ['写真', '写真s', false],
  ])('%s and %s differ by the plural: %s', (a, b, expected) => {
    expect([differByPlural(a, b), differByPlural(b, a)]).toEqual([expected, expected]);
  });
});

test('cover a phrase without its function words, but with advertising words', () => {
  const keywords = ['diary with lock', 'tagebuch mit schloss', 'free diary'].map((phrase, id) => ({
    id,
    phrase,
    latestPosition: null,
    traffic: null,
    difficulty: null,
  }));
  const listing = { name: 'Diary', developer: null, subtitle: 'Lock' };
  expect(
    combineWords('schloss', listing, keywords).tracked.map((keyword) => keyword.missing),
  ).toEqual([[], ['tagebuch'], ['free']]);
  expect([...functionWords].filter((word) => advertisingWords.has(word))).toEqual([]);
});

describe('evaluating a keyword field', () => {
  const listing = {
    name: 'Lumen: Habit Tracker',
    developer: 'Lumen Labs',
    subtitle: 'Daily goals',
  };
  const keyword = (
    id: number,
    phrase: string,
    latestPosition: number | null = null,
    traffic: number | null = null,
  ) => ({
    id,
    phrase,
    latestPosition,
    traffic,
    difficulty: traffic,
  });
  const normalized = 'habit,goal,routine,routines,lumen,the,mood diary,diary';

  it('gives the reason why each word is wasted', () => {
    const evaluated = evaluateWords(normalized, listing, []);
    const why = Object.fromEntries(
      evaluated.map((word, index) => [
        `${index} ${word.term}`,
        (['inTitle', 'inSubtitle', 'duplicate', 'plural', 'brand', 'stopword'] as const)
          .filter((name) => word[name])
          .join(' '),
      ]),
    );
    expect(why).toEqual({
      '0 habit': 'inTitle',
      '1 goal': 'plural',
      '2 routine': '',
      '3 routines': 'plural',
      '4 lumen': 'inTitle brand',
      '5 the': 'stopword',
      '6 mood': '',
      '7 diary': '',
      '8 diary': 'duplicate',
    });
    expect(countWasted(normalized, evaluated)).toBe(
      normalized.length - 'routine,mood diary'.length,
    );
    expect(countWasted('', [])).toBe(0);
  });

  it('makes no claims about unknown texts', () => {
    expect(evaluateWords('habit', { ...listing, subtitle: null }, [])[0]).toMatchObject({
      inTitle: true,
      inSubtitle: null,
    });
    expect(evaluateWords('habit', null, [])[0]).toMatchObject({
      inTitle: null,
      inSubtitle: null,
      brand: false,
    });
    expect(isWasted(evaluateWords('habit', null, [])[0]!)).toBe(false);
  });

  it('takes positions from phrases with the word, and scores from the word alone', () => {
    const keywords = [
      keyword(1, 'mood diary', 12, 40),
      keyword(2, 'mood', null, 70),
      keyword(3, 'moody', 1, 90),
      keyword(4, 'my mood', 5),
    ];
    expect(evaluateWords('mood,diary', null, keywords)).toMatchObject([
      {
        term: 'mood',
        trackedKeywordIds: [1, 2, 4],
        keywordId: 2,
        bestPosition: 5,
        traffic: 70,
        difficulty: 70,
        bytes: 4,
      },
      {
        term: 'diary',
        trackedKeywordIds: [1],
        keywordId: null,
        bestPosition: 12,
        traffic: null,
        difficulty: null,
        bytes: 5,
      },
    ]);
    expect(evaluateWords('写真', null, [])[0]!.bytes).toBe(6);
  });

  it('needs a stop word that is part of a tracked phrase', () => {
    expect(evaluateWords('daily', null, []).map(isWasted)).toEqual([true]);
    expect(evaluateWords('daily', null, [keyword(1, 'daily planner')]).map(isWasted)).toEqual([
      false,
    ]);
  });

  it('fills the free space with useful words within the limit', () => {
    const candidates = ['habit streak', 'the routine', 'goals', 'streaks 2026', 'planner'].map(
      (phrase, index) => ({
        phrase,
        source: 'tracked' as const,
        keywordId: index + 1,
      }),
    );
    const shown = 'Lumen: Habit Tracker\nDaily goals';
    expect(fillFree('mood', 100, shown, candidates).map((fill) => fill.term)).toEqual([
      'streak',
      'routine',
      'planner',
    ]);
    const full = `${'x'.repeat(40)},${'y'.repeat(52)}`;
    expect(fillFree(full, 100, '', candidates)).toEqual([
      { term: 'habit', characters: 6, source: 'tracked', keywordIds: [1] },
    ]);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100 }),
        fc.array(fc.stringMatching(/^[a-z]{3,15}$/), { maxLength: 40 }),
        (used, words) => {
          const field = 'q'.repeat(used);
          const fills = fillFree(
            field,
            100,
            '',
            words.map((phrase) => ({ phrase, source: 'serp' as const, keywordId: null })),
          );
          const whole = [field, ...fills.map((fill) => fill.term)]
            .filter((part) => part !== '')
            .join(',');
          return (
            whole.length <= 100 &&
            whole.length === used + fills.reduce((sum, fill) => sum + fill.characters, 0)
          );
        },
      ),
    );
  });

  it('counts words as the field contains them', () => {
    expect(listFieldWords('a b,c')).toEqual(['a', 'b', 'c']);
  });
});
