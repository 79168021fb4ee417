import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectLanguage } from '#domain/tracking/reviews/detect-language.ts';
import {
  collectTopics,
  cutReview,
  type ReviewText,
  type Topic,
} from '#domain/tracking/reviews/topics.ts';
import { cpuMsOf } from '../harness/cpu-time.ts';
import { anyCharacter } from '../harness/any-character.ts';

const review = (body: string, rating = 1, id = 1, title: string | null = null): ReviewText => ({
  id,
  rating,
  title,
  body,
});
const topicsOf = (reviews: ReviewText[], limit = 1_000): Topic[] =>
  collectTopics(reviews.map(cutReview), limit);
const phrasesOf = (bodies: string[]): string[] =>
  topicsOf(bodies.map((body, index) => review(body, 1, index + 1))).map((topic) => topic.phrase);

describe('topics', () => {
  test('count reviews by stars instead of words, with the first three as examples', () => {
    const topics = topicsOf([
      review('widget widget WIDGET', 5, 11),
      review('The widget!', 1, 12, 'Widget'),
      review('my widgets', 2, 13),
      review('Widget…', 1, 14),
      review('“widget”', 4, 15),
    ]);
    expect(topics).toEqual([
      { phrase: 'widget', count: 4, stars: [2, 0, 0, 1, 1], exampleIds: [11, 12, 14] },
    ]);
  });

  test('prefer a phrase that nearly all its words’ reviews have, within a sentence', () => {
    expect(phrasesOf(['lost dark mode again', 'dark mode, please', 'give us dark mode'])).toEqual([
      'dark mode',
    ]);
    expect(
      phrasesOf(['dark mode', 'dark mode', 'dark photos', 'dark music', 'dark themes']),
    ).toEqual(['dark', 'dark mode']);
    expect(phrasesOf(['so dark. mode is odd', 'so dark! mode is bad'])).toEqual(['dark', 'mode']);
  });

  test.each([
    ['Japanese', ['起動しない。ログインできません', 'ログインできない'], 'ログイン'],
    ['Chinese', ['更新之后闪退，登录不了', '一直闪退'], '闪退'],
    ['Korean', ['로그인 오류가 계속', '로그인 오류 때문에'], '로그인'],
    ['Arabic', ['التَّطبيقُ بطيء جدا', 'التطبيق بطيء'], 'التطبيق بطيء'],
    ['Arabic with the lengthening stroke', ['إعلانـات كثيرة', 'إعلانات كثيرة'], 'إعلانات كثيرة'],
    ['Thai', ['แอพค้างบ่อยมาก', 'แอพค้างตลอด'], 'แอพค้าง'],
    ['Russian', ['Постоянные вылеты, реклама', 'вылеты и реклама'], 'вылеты'],
    ['German', ['Das Update löscht alles', 'Nach dem UPDATE geht nichts'], 'update'],
  ])('split %s into its words', (_language, bodies, phrase) => {
    expect(phrasesOf(bodies)).toContain(phrase);
  });

  test('are empty for no reviews', () => {
    expect(phrasesOf([])).toEqual([]);
    expect(phrasesOf(['', ' \n', '!!! 🎉 …', '12345', '12345'])).toEqual([]);
    expect(phrasesOf(['the and of', 'the and of'])).toEqual([]);
    expect(phrasesOf(['only once', 'never twice'])).toEqual([]);
  });
});

const words = fc.constantFrom(
  'crash',
  'login',
  'Dark',
  'mode',
  'the',
  'of',
  'ads',
  '広告',
  '多い',
  'إعلانات',
  'Größe',
  'x',
  '42',
  '🎉',
  '.',
  ',',
);
const text = fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' '));
const reviews = fc
  .array(
    fc.record({ body: text, title: fc.option(text), rating: fc.integer({ min: 1, max: 5 }) }),
    { maxLength: 25 },
  )
  .map((list) => list.map((item, index) => ({ ...item, id: index + 1 })));
const bare = (topics: Topic[]) =>
  topics.map(({ phrase, count, stars }) => ({ phrase, count, stars }));

describe('topics of any reviews', () => {
  test('do not depend on the order of the reviews', () => {
    fc.assert(
      fc.property(
        reviews.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        ([list, shuffled]) => {
          expect(bare(topicsOf(shuffled))).toEqual(bare(topicsOf(list)));
        },
      ),
    );
  });

  test('have stars that add up, matching examples and the most frequent first', () => {
    fc.assert(
      fc.property(reviews, fc.integer({ min: 1, max: 8 }), (list, limit) => {
        const topics = topicsOf(list);
        for (const [index, topic] of topics.entries()) {
          expect(topic.stars.reduce((sum, count) => sum + count, 0)).toBe(topic.count);
          expect(topic.count).toBeGreaterThanOrEqual(2);
          expect(topic.count).toBeLessThanOrEqual(topics[index - 1]?.count ?? list.length);
          expect(topic.exampleIds).toHaveLength(Math.min(3, topic.count));
          for (const id of topic.exampleIds) {
            const said = list.find((item) => item.id === id)!;
            expect(`${said.title ?? ''}\n${said.body}`.toLowerCase()).toContain(topic.phrase);
          }
        }
        expect(topicsOf(list, limit)).toEqual(topics.slice(0, limit));
      }),
    );
  });

  test('count the reviews that contain the word', () => {
    fc.assert(
      fc.property(reviews, (list) => {
        for (const word of ['login', 'ads', 'größe']) {
          const topic = topicsOf(list).find((candidate) => candidate.phrase === word);
          const saying = list.filter((item) =>
            `${item.title ?? ''} ${item.body}`.toLowerCase().split(' ').includes(word),
          ).length;
          if (topic) expect(topic.count).toBe(saying);
        }
      }),
    );
  });

  test('are computed in bounded time for any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: anyCharacter, maxLength: 300 }), { maxLength: 20 }),
        (bodies) => void phrasesOf([...bodies, ...bodies]),
      ),
    );
    const long = Array.from({ length: 40 }, (_, index) =>
      review('a b '.repeat(20_000) + index, 1, index + 1),
    );
    expect(cpuMsOf(() => topicsOf(long), 3_000)).toBeLessThan(3_000);
  });
});

test.each([
  ['It crashes and I can not open the app', 'de', 'en'],
  ['Die App ist nicht gut und stürzt ab', 'en-US', 'de'],
  ['Je ne peux pas ouvrir la page, très déçu', null, 'fr'],
  ['No funciona y se cierra desde la actualización', null, 'es'],
  ['Não funciona, o aplicativo fecha sozinho e trava muito', null, 'pt'],
  ['起動しない', null, 'ja'],
  ['最高', 'ja-JP', 'ja'],
  ['一直闪退', 'en', 'zh'],
  ['로그인 오류', null, 'ko'],
  ['تطبيق ممتاز', 'en', 'ar'],
  ['عالی', 'fa', 'fa'],
  ['не работает', null, 'ru'],
  ['не работи', 'bg', 'bg'],
  ['дуже гарний застосунок, дякую їм', null, 'uk'],
  ['Өте жақсы, бәрі ұнайды', 'kk', 'kk'],
  ['Добрая праграма, усё працуе і падабаецца', 'be', 'be'],
  ['Маш сайн апп', 'mn', 'mn'],
  ['Det er en god app, som jeg bruger hver dag', 'da', 'da'],
  ['Appen er en stor hjelp i hverdagen', 'no', 'no'],
  ['Det är en bra app och jag använder den', 'fi', 'sv'],
  ['Skvělá aplikace, ale po aktualizaci to nejde', 'cs', 'cs'],
  ['Aplikácia je super, ale na mojom telefóne to nejde', 'sk', 'sk'],
  ['Radi dobro i na starom mobitelu', 'hr', 'hr'],
  ['Aplikasi ini sangat bagus dan mudah untuk digunakan', 'ms', 'ms'],
  ['Este o pierdere de timp, nu merge și e plină de reclame', 'ro', 'ro'],
  ['Ang ganda ng app, sulit na sulit', 'fil', 'fil'],
  ['It crashes and I can not open the app', 'fil', 'en'],
  ['ok', 'en_us', 'en'],
  ['ok', null, null],
  ['5 ⭐️', null, null],
  ['', null, null],
])('%j in a storefront of %s is in %s', (body, storefront, language) => {
  expect(detectLanguage(body, storefront)).toBe(language);
});
