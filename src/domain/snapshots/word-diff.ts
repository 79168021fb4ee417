export interface WordOp {
  op: 'same' | 'added' | 'removed';
  text: string;
}

/** Words and what stands between them. The rules of no language in particular: Unicode's, with its dictionaries for scripts without spaces. */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
/** Beyond this many words added and removed, texts have nothing in common that is worth finding. */
const maxEdits = 1_000;

/**
 * What leads from one text to another, word by word: `same` and `removed` together are the first text, `same` and `added` the
 * second. The shortest way, by Myers' algorithm, up to 1,000 edits; for texts further apart what differs is told as a whole.
 */
export function diffWords(before: string, after: string): WordOp[] {
  const [a, b] = [splitWords(before), splitWords(after)];
  const start = countSame(a, b, (list, index) => list[index]);
  const end = Math.min(
    countSame(a, b, (list, index) => list[list.length - 1 - index]),
    Math.min(a.length, b.length) - start,
  );
  const [middleA, middleB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const ops = joinOps([
    ...a.slice(0, start).map((text): WordOp => ({ op: 'same', text })),
    ...(findShortestWay(middleA, middleB) ?? [
      { op: 'removed', text: middleA.join('') },
      { op: 'added', text: middleB.join('') },
    ]),
    ...a.slice(a.length - end).map((text): WordOp => ({ op: 'same', text })),
  ]);
  return ops;
}

function splitWords(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function countSame(
  a: readonly string[],
  b: readonly string[],
  at: (list: readonly string[], index: number) => string | undefined,
): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && at(a, count) === at(b, count)) count += 1;
  return count;
}

/** For each number of edits the furthest place in `a` on each diagonal; null when `maxEdits` do not suffice. */
function findShortestWay(a: readonly string[], b: readonly string[]): WordOp[] | null {
  const limit = Math.min(a.length + b.length, maxEdits);
  const furthest = new Int32Array(2 * limit + 3);
  const origin = limit + 1;
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits += 1) {
    trace.push(furthest.slice(origin - edits - 1, origin + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const [below, above] = [furthest[origin + diagonal - 1]!, furthest[origin + diagonal + 1]!];
      let x = diagonal === -edits || (diagonal !== edits && below < above) ? above : below + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      furthest[origin + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return walkBack(a, b, trace);
    }
  }
  return null;
}

function walkBack(
  a: readonly string[],
  b: readonly string[],
  trace: readonly Int32Array[],
): WordOp[] {
  const ops: WordOp[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    // The slice kept for `edits` begins one before the diagonal -edits.
    const placeOn = (diagonal: number) => trace[edits]![diagonal + edits + 1]!;
    const diagonal = x - y;
    const isDown =
      diagonal === -edits || (diagonal !== edits && placeOn(diagonal - 1) < placeOn(diagonal + 1));
    const fromX = edits === 0 ? 0 : isDown ? placeOn(diagonal + 1) : placeOn(diagonal - 1);
    const fromY = edits === 0 ? 0 : fromX - (isDown ? diagonal + 1 : diagonal - 1);
    while (x > fromX && y > fromY) {
      ops.push({ op: 'same', text: a[x - 1]! });
      [x, y] = [x - 1, y - 1];
    }
    if (edits === 0) break;
    ops.push(isDown ? { op: 'added', text: b[y - 1]! } : { op: 'removed', text: a[x - 1]! });
    [x, y] = [fromX, fromY];
  }
  return ops.toReversed();
}

/** Ops of one kind in a row made one; between two that stay, what is removed goes before what is added. */
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
