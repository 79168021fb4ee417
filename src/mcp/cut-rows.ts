import { cut, storeTextNotice } from './wording.ts';

/** Room for what is said of the rows that are left out. */
const remarkCharacters = 120;

/** The first rows that fit, what is missing, and the notice about store text, which no length may take away. */
export function cutRows(text: string, most: number): string {
  if (text.length <= most) return text;
  const [first = '', ...rows] = text.split('\n');
  const notice = rows.at(-1) === storeTextNotice ? rows.pop()! : null;
  let room = most - remarkCharacters - (notice?.length ?? 0);
  const kept = [cut(first, room)];
  room -= kept[0]!.length;
  for (const row of rows) {
    room -= row.length + 1;
    if (room < 0) break;
    kept.push(row);
  }
  const left = rows.length - kept.length + 1;
  if (left > 0)
    kept.push(
      `(Rows left out here: ${left}. The answer was too long; ask with a smaller limit or for less.)`,
    );
  return [...kept, ...(notice === null ? [] : [notice])].join('\n');
}
