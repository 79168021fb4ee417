const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** Where it matters most: each further letter typed says less. Seven and the whole phrase are told apart by four questions. */
const lengths = [1, 2, 3, 4, 6, 9, 14];

export type Offered = [prefix: string, place: number | null][];

/** The beginnings of a phrase worth asking for, shortest first; the last is the phrase. */
export function listPrefixes(phrase: string): string[] {
  const letters = [...graphemes.segment(phrase)].map((part) => part.segment);
  const shorter = lengths
    .filter((length) => length < letters.length)
    .map((length) => letters.slice(0, length).join('').trimEnd());
  return [...new Set([...shorter, phrase])];
}

/**
 * The shortest beginning at which a phrase is offered, found by halving: what is offered early is offered later too.
 * A phrase that is not offered even typed out takes one question; any other at most four. Returns all that was asked.
 */
export async function searchHints(
  phrase: string,
  ask: (prefix: string) => Promise<number | null>,
): Promise<Offered> {
  const prefixes = listPrefixes(phrase);
  const offered: Offered = [];
  const isOffered = async (prefix: string): Promise<boolean> => {
    const place = await ask(prefix);
    offered.push([prefix, place]);
    return place !== null;
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
