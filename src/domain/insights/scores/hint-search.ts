import type { HintOffer } from './evidence.ts';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** Each further letter says less. Four queries distinguish seven prefixes and the whole phrase. */
const lengths = [1, 2, 3, 4, 6, 9, 14];

export type Offered = HintOffer[];
/** A response without its prefix. */
export type HintReading = Required<HintOffer> extends [string, ...infer Counts] ? Counts : never;

/** The prefixes of a phrase to query, shortest first; the last is the phrase. */
export function listPrefixes(phrase: string): string[] {
  const characters = [...graphemes.segment(phrase)].map((part) => part.segment);
  const shorter = lengths
    .filter((length) => length < characters.length)
    .map((length) => characters.slice(0, length).join('').trimEnd());
  return [...new Set([...shorter, phrase])];
}

/**
 * Finds the shortest prefix at which a phrase is offered, by bisection, because a phrase that is
 * offered early is offered later too. A phrase that is not offered at all takes one query, and
 * others at most four. Returns all queries.
 */
export async function searchHints(
  phrase: string,
  ask: (prefix: string) => Promise<HintReading>,
): Promise<Offered> {
  const prefixes = listPrefixes(phrase);
  const offered: Offered = [];
  const isOffered = async (prefix: string): Promise<boolean> => {
    const reading = await ask(prefix);
    offered.push([prefix, ...reading]);
    return reading[0] !== null;
  };
  if (!(await isOffered(phrase))) return offered;
  let [low, high] = [0, prefixes.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isOffered(prefixes[middle]!)) high = middle;
    else low = middle + 1;
  }
  return offered;
}
