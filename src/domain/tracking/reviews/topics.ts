import { apostrophes, applyFolds, arabicMarks } from '#lib/includes-text.ts';
import { stopWords } from '#lib/stop-words.ts';
import { isDistinctive, listWords, splitParts, type Word } from '../listings/suggest-phrases.ts';

export interface ReviewText {
  id: number;
  rating: number;
  title: string | null;
  body: string;
}

/** A review split into words, in stretches without separators. */
export interface CutReview {
  id: number;
  rating: number;
  parts: { text: string; words: Word[] }[];
}

export interface Topic {
  phrase: string;
  /** Reviews with the phrase; each counts once. */
  count: number;
  /** Their counts of 1, 2, 3, 4 and 5 stars. */
  stars: number[];
  /** The first three in the given order. */
  exampleIds: number[];
}

const maxWordsInTopic = 3;
const minReviews = 2;
const examinedCharacters = 1_500;
/** A longer phrase replaces a shorter one when nearly all reviews with the shorter have it. */
const sameThing = 0.75;
const maxCompared = 600;

export function cutReview({ id, rating, title, body }: ReviewText): CutReview {
  const text = applyFolds(`${title ?? ''}\n${body.slice(0, examinedCharacters)}`, [
    apostrophes,
    arabicMarks,
  ]);
  return {
    id,
    rating,
    parts: splitParts(text).map((part) => ({ text: part, words: listWords(part) })),
  };
}

/**
 * Runs of up to three words that at least two reviews share, most frequent first. The same reviews
 * give the same topics; their order changes only the examples. Works for scripts without spaces.
 */
export function collectTopics(reviews: readonly CutReview[], limit: number): Topic[] {
  const known = knowWords(reviews);
  const topics = new Map<string, Topic>();
  for (const review of reviews) {
    for (const phrase of listPhrases(review, known)) {
      const topic = topics.get(phrase) ?? {
        phrase,
        count: 0,
        stars: [0, 0, 0, 0, 0],
        exampleIds: [],
      };
      topics.set(phrase, topic);
      topic.count += 1;
      topic.stars[review.rating - 1]! += 1;
      if (topic.exampleIds.length < 3) topic.exampleIds.push(review.id);
    }
  }
  const common = [...topics.values()].filter((topic) => topic.count >= minReviews).toSorted(bySaid);
  return dropParts(common.slice(0, maxCompared)).slice(0, limit);
}

interface KnownWord {
  /** Reviews that contain it. */
  count: number;
  /** A word that may stand alone, or end a longer phrase. */
  isTopic: boolean;
  isEnd: boolean;
}

/**
 * Every word of the reviews, checked once. A phrase is at most as frequent as its words, so rare
 * words are skipped.
 */
function knowWords(reviews: readonly CutReview[]): Map<string, KnownWord> {
  const known = new Map<string, KnownWord>();
  for (const { parts } of reviews) {
    for (const text of new Set(parts.flatMap((part) => part.words.map((word) => word.text)))) {
      const word = known.get(text);
      if (word) word.count += 1;
      else
        known.set(text, {
          count: 1,
          isTopic: isDistinctive(text, 1),
          isEnd: isDistinctive(text, 2) || isUnknownHan(text),
        });
    }
  }
  return known;
}

/** Unknown text is segmented into single characters, of which two form a word. */
function isUnknownHan(word: string): boolean {
  return /^\p{Script=Han}$/u.test(word) && !stopWords.has(word);
}

function listPhrases({ parts }: CutReview, known: ReadonlyMap<string, KnownWord>): Set<string> {
  const phrases = new Set<string>();
  for (const { text, words } of parts) {
    const common = words.map((word) => known.get(word.text)!);
    for (const [index, first] of words.entries()) {
      if (common[index]!.count >= minReviews && common[index]!.isTopic) phrases.add(first.text);
      if (!common[index]!.isEnd) continue;
      for (
        let end = index;
        end < Math.min(words.length, index + maxWordsInTopic) && common[end]!.count >= minReviews;
        end += 1
      ) {
        if (end > index && common[end]!.isEnd)
          phrases.add(text.slice(first.start, words[end]!.end));
      }
    }
  }
  return phrases;
}

function bySaid(a: Topic, b: Topic): number {
  return b.count - a.count || b.phrase.length - a.phrase.length || (a.phrase < b.phrase ? -1 : 1);
}

/** Drops phrases that a longer one replaces. */
function dropParts(topics: readonly Topic[]): Topic[] {
  return topics.filter(
    (topic) =>
      !topics.some(
        (other) =>
          other.phrase.length > topic.phrase.length &&
          other.count >= topic.count * sameThing &&
          isWithin(topic.phrase, other.phrase),
      ),
  );
}

/** At word boundaries where the script has them. */
function isWithin(part: string, whole: string): boolean {
  return whole.includes(' ') ? ` ${whole} `.includes(` ${part} `) : whole.includes(part);
}
