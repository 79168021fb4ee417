export const fieldLength = 100;

export interface FieldText {
  text: string;
  length: number;
  /** Words that did not fit any more. */
  left: string[];
}

/** The words of the phrases for the App Store keyword field: each once, commas without spaces, up to 100 characters. */
export function toKeywordField(phrases: readonly string[]): FieldText {
  const words = [
    ...new Set(phrases.flatMap((phrase) => phrase.toLowerCase().split(/[\s,]+/)).filter(Boolean)),
  ];
  const left: string[] = [];
  let text = '';
  for (const word of words) {
    const longer = text === '' ? word : `${text},${word}`;
    if ([...longer].length <= fieldLength) text = longer;
    else left.push(word);
  }
  return { text, length: [...text].length, left };
}
