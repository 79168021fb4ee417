/** A result shorter than this share of the market's usual one may be withheld in part. */
const plausibleShare = 0.6;

/** True for a result far shorter than the market's usual: stores withhold results that way. */
export function isFarShorter(
  resultCount: number,
  { usualResults, depth }: { usualResults: number; depth: number },
): boolean {
  const expected = Math.min(usualResults, depth);
  return resultCount < expected && resultCount <= plausibleShare * expected;
}
