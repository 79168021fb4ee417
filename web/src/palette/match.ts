const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** How well a text answers what was typed: 0 is not at all; a beginning goes before the beginning of a word, that before the rest. */
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
