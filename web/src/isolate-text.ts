/** Hebrew, Arabic and other right-to-left scripts. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Wraps a phrase or name in isolation marks, so that its direction does not affect the numbers
 * beside it. React escapes.
 */
export const isolateText = (value: string): string =>
  rightToLeft.test(value) ? `\u2068${value}\u2069` : value;
