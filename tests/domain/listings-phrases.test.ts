import { expect, test } from 'vitest';
import { findPhraseError } from '#domain/base/text/phrase.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { suggestPhrases, type ListingTexts } from '#domain/tracking/listings/suggest-phrases.ts';
import { cpuMsOf } from '../harness/cpu-time.ts';

function suggest(texts: Partial<ListingTexts>): string[] {
  return suggestPhrases({
    name: '',
    developer: null,
    subtitle: null,
    summary: null,
    description: null,
    category: null,
    ...texts,
  }).map(({ phrase }) => phrase);
}

const headspace = {
  name: 'Headspace: Meditation & Sleep',
  developer: 'Headspace Inc.',
  subtitle: 'Mindfulness for Stress Relief',
  category: 'Health & Fitness',
  description:
    'Live a healthier life with guided meditation. Guided meditation for sleep, stress and ' +
    'anxiety. Try a guided meditation today.',
};

test('phrases from the title come first, then from the subtitle, then the brand', () => {
  const phrases = suggest(headspace);
  expect(phrases.slice(0, 3).toSorted()).toEqual([
    'meditation',
    'mindfulness for stress relief',
    'sleep',
  ]);
  expect(phrases).toEqual(
    expect.arrayContaining(['headspace', 'stress relief', 'guided meditation', 'fitness']),
  );
});

test('no phrase combines the brand with other words or repeats another’s words', () => {
  const phrases = suggest({
    ...headspace,
    subtitle: 'Headspace stress relief',
    summary: 'Relief stress',
  });
  expect(phrases.filter((phrase) => phrase.includes('headspace'))).toEqual(['headspace']);
  expect(
    phrases.filter((phrase) => phrase.split(' ').toSorted().join() === 'relief,stress'),
  ).toHaveLength(1);
});

test('no phrase begins or ends with a function word, or is a number', () => {
  const phrases = suggest({
    name: 'The Best Free VPN for You',
    subtitle: 'Fast and secure in 2026',
    summary: 'Der beste Kalender für die Familie',
  });
  for (const phrase of phrases)
    expect(phrase).not.toMatch(
      /^(the|best|free|and|for|in|2026|der|für|die)\b|\b(the|for|you|and|in|2026|die)$/,
    );
  expect(phrases).toEqual(expect.arrayContaining(['vpn', 'secure']));
});

test.each([
  [
    'Chinese',
    { name: '网易云音乐-音乐播放器', developer: '网易', category: '音乐' },
    ['音乐播放器', '网易云音乐', '音乐'],
  ],
  [
    'Japanese',
    { name: 'メルカリ - フリマアプリ&スマホ決済', category: 'ショッピング' },
    ['フリマアプリ', 'スマホ決済', 'メルカリ'],
  ],
  ['Korean', { name: '당근 - 중고거래', subtitle: '동네 생활' }, ['중고거래', '당근', '동네 생활']],
  [
    'Arabic',
    { name: 'سناب شات: كاميرا ومراسلة', category: 'التصوير' },
    ['كاميرا ومراسلة', 'سناب شات', 'كاميرا'],
  ],
  ['Thai', { name: 'แกร็บ: สั่งอาหาร', category: 'การเดินทาง' }, ['สั่งอาหาร']],
  [
    'Russian',
    { name: 'Яндекс Карты — Навигатор', subtitle: 'Пробки и маршруты' },
    ['навигатор', 'яндекс карты', 'маршруты'],
  ],
])('%s is split without spaces or Latin letters', (_language, texts, expected) => {
  expect(suggest(texts)).toEqual(expect.arrayContaining(expected));
});

test('every phrase can be tracked, whatever the texts contain', () => {
  const hostile = [
    headspace,
    {
      name: 'ﬁt ＡＰＰ ½ İstanbul',
      subtitle: 'ǅ ẞ',
      summary: 'x'.repeat(3_000),
      description: 'word '.repeat(4_000),
      category: '&',
    },
    { name: '👩‍👩‍👧 🎮🎮', subtitle: '!!!', summary: '\u200b\u200b', description: '-'.repeat(20_000) },
    {
      name: 'a'.repeat(500),
      subtitle: `${'漢字'.repeat(200)}`,
      summary: 'one two three four five six seven',
    },
    { name: 'NUL\0 \u0007 \ud800', description: ' & - + '.repeat(3_000) },
    { name: '한국어 '.repeat(60), category: '\u0301\u0301' },
  ];
  for (const texts of hostile) {
    const phrases = suggest(texts);
    expect(phrases.length).toBeLessThanOrEqual(16);
    for (const phrase of phrases) {
      expect([phrase, findPhraseError('', phrase), normalisePhrase(phrase)]).toEqual([
        phrase,
        null,
        phrase,
      ]);
    }
  }
});

test('a listing without words gives no phrases, and the longest one is quick', () => {
  expect(suggest({ name: '' })).toEqual([]);
  const text = Array.from({ length: 4_000 }, (_, index) => `word${index % 700}`).join(' ');
  const longest = {
    name: text.slice(0, 500),
    subtitle: text.slice(0, 500),
    summary: text.slice(0, 2_000),
    description: text.slice(0, 20_000),
  };
  expect(cpuMsOf(() => suggest(longest), 500)).toBeLessThan(500);
});
