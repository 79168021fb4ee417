const line = /^\ufeff?"?sep=(.)"?(?:\r\n|\n|\r)/i;

/**
 * Excel names the separator of a file in a line before the header: `sep=;`. Returns it with the
 * text after this line; null and the whole text without such a line.
 */
export function splitSeparatorLine(text: string): { separator: string | null; text: string } {
  const found = line.exec(text);
  return found === null
    ? { separator: null, text }
    : { separator: found[1]!, text: text.slice(found[0].length) };
}

/** Whether a first record, read with any separator, is that line. */
export const isSeparatorLine = (cells: readonly string[], delimiter: string): boolean =>
  /^sep=.$/i.test(cells.join(delimiter));
