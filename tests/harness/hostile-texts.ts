/**
 * Characters that input expressions treat differently: letters, digits, separators, brackets,
 * spaces, escapes, surrogates.
 */
const pieces = [
  'a',
  'A',
  '0',
  ' ',
  '\t',
  '\n',
  '.',
  '-',
  '_',
  ',',
  ':',
  ';',
  '/',
  '=',
  '@',
  '#',
  '%',
  '+',
  '\\',
  '"',
  '[',
  '{',
  '(',
  '<',
  '\u0000',
  '\u00a0',
  'é',
  'e\u0301',
  '😀',
  '\ud800',
  '\udc00',
];

/** Short prefixes that let a longer repetition reach the second half of an expression. */
const beginnings = ['', 'a@', 'a@a.', '2026-11-21T02:00:00.', 'https://a/', '-', '#'];

/**
 * Strings of `length` UTF-16 units that make a slow check slow. Each ends with a character that
 * most formats refuse.
 */
export function hostileTexts(length: number, starts: readonly string[] = beginnings): string[] {
  const pairs = [
    'a.',
    '.a',
    'a@',
    'a-',
    '1,',
    'a b',
    '[]',
    '{}',
    '()',
    '<a>',
    '%20',
    '\r\n',
    '../',
    'a,"',
  ];
  const runs = [...pieces, ...pairs].flatMap((piece) =>
    starts.map((start) => `${start}${piece.repeat(length / piece.length)}`),
  );
  const nested = ['[]', '{}', '()'].map(
    ([open, close]) => open!.repeat(length / 2) + close!.repeat(length / 2),
  );
  return [...runs, ...nested].map((text) => `${text.slice(0, length - 1)}!`);
}
