/** Hebrew, Arabic and the other scripts that run from right to left. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A phrase or a name inside a sentence, between marks that keep its direction from the numbers beside it. React escapes. */
export const isolateText = (value: string): string =>
  rightToLeft.test(value) ? `\u2068${value}\u2069` : value;
