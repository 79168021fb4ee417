import { diffArrays } from 'diff';

export interface WordOp {
  op: 'same' | 'added' | 'removed';
  text: string;
}

/**
 * Words and the text between them, by Unicode's rules with its dictionaries for scripts without
 * spaces.
 */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
/** Texts with more edits than this have nothing in common that is worth finding. */
const maxEdits = 1_000;

/**
 * The difference of two texts, word by word: `same` and `removed` form the first text, `same` and
 * `added` the second. At most 1,000 edits; texts that differ more are replaced as a whole.
 */
export function diffWords(before: string, after: string): WordOp[] {
  const [a, b] = [splitWords(before), splitWords(after)];
  const start = countSame(a, b);
  const end = countSame(a.slice(start).toReversed(), b.slice(start).toReversed());
  const [middleA, middleB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return joinOps([
    { op: 'same', text: a.slice(0, start).join('') },
    ...diffMiddle(middleA, middleB),
    { op: 'same', text: a.slice(a.length - end).join('') },
  ]);
}

function splitWords(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function countSame(a: readonly string[], b: readonly string[]): number {
  const differing = a.findIndex((word, index) => word !== b[index]);
  return differing === -1 ? a.length : differing;
}

function diffMiddle(a: string[], b: string[]): WordOp[] {
  const parts = diffArrays(a, b, { maxEditLength: maxEdits });
  if (parts === undefined)
    return [
      { op: 'removed', text: a.join('') },
      { op: 'added', text: b.join('') },
    ];
  return parts.map(({ added, removed, value }) => ({
    op: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }));
}

/**
 * Merges adjacent operations of one kind. Between two that stay, removed text comes before added
 * text.
 */
function joinOps(ops: readonly WordOp[]): WordOp[] {
  const joined: WordOp[] = [];
  let [removed, added] = ['', ''];
  const flush = () => {
    if (removed !== '') joined.push({ op: 'removed', text: removed });
    if (added !== '') joined.push({ op: 'added', text: added });
    [removed, added] = ['', ''];
  };
  for (const { op, text } of ops) {
    if (op === 'removed') removed += text;
    else if (op === 'added') added += text;
    else {
      flush();
      const last = joined.at(-1);
      if (last?.op === 'same') last.text += text;
      else if (text !== '') joined.push({ op, text });
    }
  }
  flush();
  return joined;
}
