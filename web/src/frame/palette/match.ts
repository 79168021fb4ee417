const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * How well a text matches the query: 0 is no match; the start of the text ranks above the start of
 * a word, and that above the rest.
 */
export function rateMatch(text: string, typed: string): number {
  const whole = plain(text);
  const words = plain(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return 1;
  const rates = words.map((word) => {
    const at = whole.indexOf(word);
    if (at < 0) return 0;
    if (at === 0) return 4;
    return /[\s·/(]/.test(whole[at - 1]!) ? 3 : 1;
  });
  return rates.includes(0) ? 0 : Math.max(...rates);
}
