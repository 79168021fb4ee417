const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Scripts and forms of East Asian Width W and F; half-width forms are narrow. */
const wide =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}\u3000-\u303e\u3040-\u30ff\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u;
const halfWidth = /^[\uff61-\uffdc\uffe8-\uffee]/;
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const isNarrowOnly = /^[\u0020-\u02ff]*$/;

function widthOfCharacter(character: string): number {
  if (invisible.test(character)) return 0;
  return wide.test(character) && !halfWidth.test(character) ? 2 : 1;
}

/** The columns that a text takes in a terminal. */
export function textWidth(text: string): number {
  if (isNarrowOnly.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOfCharacter(segment);
  return width;
}

/** Cuts a text to a number of columns; a cut text ends with an ellipsis. */
export function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let cut = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += widthOfCharacter(segment);
    if (width > columns - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}
