import type { AppCard } from '#domain/base/ports.ts';
import { isAbsent, type FieldReading } from './field-reading.ts';

/** Every list of results has these for some of its apps. */
const usualFields = ['bundleId', 'developer', 'iconUrl'] as const;
/** In some countries, and for some phrases, no result has ratings. */
const ratingFields = ['rating', 'ratingCount'] as const;
const cardFields = [...usualFields, ...ratingFields];
/** Fewer results may all lack a fact by chance. */
const minResults = 5;

/**
 * What a list of results says of the fields of its apps: it lacks a field that none of them has.
 * `known` has the ratings that an earlier list of the same subject had. Null for a short list.
 */
export function compareResults(
  subject: string,
  cards: readonly AppCard[],
  known: readonly (typeof ratingFields)[number][],
): FieldReading | null {
  if (cards.length < minResults) return null;
  const isMissing = (field: keyof AppCard) => cards.every((card) => isAbsent(field, card[field]));
  const missing = cardFields.filter(isMissing);
  const expected: readonly string[] = [...usualFields, ...known];
  return {
    subject,
    read: cardFields.filter((field) => !isMissing(field)),
    missing,
    lost: missing.filter((field) => expected.includes(field)),
  };
}

/** The card with the drifting fields that it lacks as null, and among the unread ones. */
export function markUntrusted(card: AppCard, drifting: readonly string[]): AppCard {
  const untrusted = cardFields.filter(
    (field) => drifting.includes(field) && isAbsent(field, card[field]),
  );
  if (untrusted.length === 0) return card;
  const unknown = Object.fromEntries(untrusted.map((field) => [field, null]));
  return { ...card, ...unknown, unread: [...new Set([...card.unread, ...untrusted])] };
}
