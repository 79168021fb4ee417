export interface FieldText {
  text: string;
  length: number;
  /** Words that did not fit. */
  left: string[];
}

/**
 * Builds a keyword field from phrases: each word once, commas without spaces, up to
 * `maxCharacters`.
 */
export function toKeywordField(phrases: readonly string[], maxCharacters: number): FieldText {
  const words = [
    ...new Set(phrases.flatMap((phrase) => phrase.toLowerCase().split(/[\s,]+/)).filter(Boolean)),
  ];
  const left: string[] = [];
  let text = '';
  for (const word of words) {
    const longer = text === '' ? word : `${text},${word}`;
    if ([...longer].length <= maxCharacters) text = longer;
    else left.push(word);
  }
  return { text, length: [...text].length, left };
}
