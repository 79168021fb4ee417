const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/**
 * Decodes entities of HTML and XML once, from left to right: `&amp;lt;` is the text `&lt;`. An
 * unknown entity stays unchanged.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  // JSON inside HTML has one for each quote. A quote is no part of another entity.
  const quoted = text.replaceAll('&quot;', '"');
  return quoted.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      const isCharacter = code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : whole;
    },
  );
}
