import { stopWords } from '../listings/stop-words.ts';
import { isTelling, listWords, splitParts, type Word } from '../listings/suggest-phrases.ts';

export interface ReviewText {
  id: number;
  rating: number;
  title: string | null;
  body: string;
}

/** A review cut into words, in stretches that no separator interrupts. */
export interface CutReview {
  id: number;
  rating: number;
  parts: { text: string; words: Word[] }[];
}

export interface Topic {
  phrase: string;
  /** Reviews that say it; each counts once however often it says it. */
  count: number;
  /** Of these, how many gave 1, 2, 3, 4 and 5 stars. */
  stars: number[];
  /** The first three in the order given. */
  exampleIds: number[];
}

const maxWordsInTopic = 3;
const fewestReviews = 2;
const examinedCharacters = 1_500;
/** What is said by nearly all who say the shorter phrase is what they mean by it. */
const sameThing = 0.75;
const mostCompared = 600;

// Vowel signs and the lengthening stroke: the same Arabic word is written with and without them.
const arabicMarks = /[\u0640\u064B-\u065F\u0670]/gu;

export function cutReview({ id, rating, title, body }: ReviewText): CutReview {
  const text = `${title ?? ''}\n${body.slice(0, examinedCharacters)}`.replaceAll('’', "'").replace(arabicMarks, '');
  return { id, rating, parts: splitParts(text).map((part) => ({ text: part, words: listWords(part) })) };
}

/**
 * The runs of up to three words that at least two reviews have in common, most said first. The same reviews give the
 * same topics, and their order changes nothing but the examples. Works for scripts without spaces.
 */
export function collectTopics(reviews: readonly CutReview[], limit: number): Topic[] {
  const said = countWords(reviews);
  const topics = new Map<string, Topic>();
  for (const review of reviews) {
    for (const phrase of listPhrases(review, said)) {
      const topic = topics.get(phrase) ?? { phrase, count: 0, stars: [0, 0, 0, 0, 0], exampleIds: [] };
      topics.set(phrase, topic);
      topic.count += 1;
      topic.stars[review.rating - 1]! += 1;
      if (topic.exampleIds.length < 3) topic.exampleIds.push(review.id);
    }
  }
  const common = [...topics.values()].filter((topic) => topic.count >= fewestReviews).toSorted(bySaid);
  return dropParts(common.slice(0, mostCompared)).slice(0, limit);
}

/** In how many reviews each word stands: no phrase is said more often than its words, so rare ones make none. */
function countWords(reviews: readonly CutReview[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { parts } of reviews) {
    const words = new Set(parts.flatMap((part) => part.words.map((word) => word.text)));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

function listPhrases({ parts }: CutReview, said: ReadonlyMap<string, number>): Set<string> {
  const phrases = new Set<string>();
  for (const { text, words } of parts) {
    for (const [index, first] of words.entries()) {
      for (let length = 1; length <= maxWordsInTopic && index + length <= words.length; length += 1) {
        const last = words[index + length - 1]!;
        if (said.get(last.text)! < fewestReviews) break;
        if (isEnd(first.text, length) && isEnd(last.text, length)) phrases.add(text.slice(first.start, last.end));
      }
    }
  }
  return phrases;
}

/** What dictionaries do not know is cut into single characters: two of them say something together. */
function isEnd(word: string, length: number): boolean {
  return isTelling(word, length) || (length > 1 && /^\p{Script=Han}$/u.test(word) && !stopWords.has(word));
}

function bySaid(a: Topic, b: Topic): number {
  return b.count - a.count || b.phrase.length - a.phrase.length || (a.phrase < b.phrase ? -1 : 1);
}

/** Without phrases of which a longer one says more. */
function dropParts(topics: readonly Topic[]): Topic[] {
  return topics.filter(
    (topic) =>
      !topics.some(
        (other) => other.phrase.length > topic.phrase.length && other.count >= topic.count * sameThing && isWithin(topic.phrase, other.phrase),
      ),
  );
}

/** On word borders where words have any. */
function isWithin(part: string, whole: string): boolean {
  return whole.includes(' ') ? ` ${whole} `.includes(` ${part} `) : whole.includes(part);
}
