import type { TFunction } from 'i18next';
import { formatCount, formatList } from '../../../format.ts';
import { readNumber, type Facts } from '../evidence/read.ts';

/** One after the other as the language sets them; null when one of them cannot be told. */
export function joinSentences(sentences: readonly (string | null)[], t: TFunction): string | null {
  const told = sentences.filter((sentence) => sentence !== null);
  return told.length < sentences.length
    ? null
    : told.reduce((first, second) => t('actionReason.joined', { first, second }));
}

/** An unknown traffic is said to be unknown; null when the evidence says neither. */
export function tellTraffic(facts: Facts, t: TFunction): string | null {
  const traffic = readNumber(facts, 'traffic');
  if (traffic !== null) return t('actionReason.traffic', { traffic: formatCount(traffic) });
  return facts.traffic === null ? t('actionReason.trafficUnknown') : null;
}

/** A score within a sentence. */
export function tellScore(
  facts: Facts,
  name: 'traffic' | 'difficulty',
  t: TFunction,
): string | null {
  const score = readNumber(facts, name);
  if (score !== null) return formatCount(score);
  return facts[name] === null ? t('actionReason.notKnown') : null;
}

/** The first of them; that there are more is said. Null for none. */
export function listSome(items: readonly string[], most: number, t: TFunction): string | null {
  const list = formatList(items.slice(0, most));
  if (items.length > most) return t('actionReason.andOthers', { list });
  return items.length === 0 ? null : list;
}

/** The same of words as they are. */
export function quoteSome(texts: readonly string[], most: number, t: TFunction): string | null {
  const quoted = texts.map((text) => t('actionReason.quoted', { text }));
  return listSome(quoted, most, t);
}
