import type { TFunction } from 'i18next';
import { formatCount, formatList } from '#web/format.ts';
import { readNumber, type Facts } from '../evidence/parse-facts.ts';

/** Joins sentences as the language does. Null if any of them is missing. */
export function joinSentences(sentences: readonly (string | null)[], t: TFunction): string | null {
  const present = sentences.filter((sentence) => sentence !== null);
  return present.length < sentences.length
    ? null
    : present.reduce((first, second) => t('actionReason.joined', { first, second }));
}

/** Says if the traffic is unknown. Null if the evidence contains no traffic. */
export function formatTraffic(facts: Facts, t: TFunction): string | null {
  const traffic = readNumber(facts, 'traffic');
  if (traffic !== null) return t('actionReason.traffic', { traffic: formatCount(traffic) });
  return facts.traffic === null ? t('actionReason.trafficUnknown') : null;
}

/** A score for use in a sentence. */
export function formatScore(
  facts: Facts,
  name: 'traffic' | 'difficulty',
  t: TFunction,
): string | null {
  const score = readNumber(facts, name);
  if (score !== null) return formatCount(score);
  return facts[name] === null ? t('actionReason.notKnown') : null;
}

/** Lists the first items and says if there are more. Null for an empty list. */
export function formatTruncatedList(
  items: readonly string[],
  most: number,
  t: TFunction,
): string | null {
  const list = formatList(items.slice(0, most));
  if (items.length > most) return t('actionReason.andOthers', { list });
  return items.length === 0 ? null : list;
}

/** Quotes the first texts and says if there are more. Null for an empty list. */
export function quoteTruncatedList(
  texts: readonly string[],
  most: number,
  t: TFunction,
): string | null {
  const quoted = texts.map((text) => t('actionReason.quoted', { text }));
  return formatTruncatedList(quoted, most, t);
}
