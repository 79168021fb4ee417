import { cut, storeTextNotice } from './text-format.ts';

/** Characters reserved for the note about omitted rows. */
const omissionNoteLength = 120;

/**
 * The first rows that fit, the number of omitted ones, and the notice about store text, which is
 * never cut.
 */
export function truncateRows(text: string, most: number): string {
  if (text.length <= most) return text;
  const [first = '', ...rows] = text.split('\n');
  const notice = rows.at(-1) === storeTextNotice ? rows.pop()! : null;
  let space = most - omissionNoteLength - (notice?.length ?? 0);
  const kept = [cut(first, space)];
  space -= kept[0]!.length;
  for (const row of rows) {
    space -= row.length + 1;
    if (space < 0) break;
    kept.push(row);
  }
  const left = rows.length - kept.length + 1;
  if (left > 0)
    kept.push(
      `(Rows left out here: ${left}. The response was too long; use a smaller limit or a ` +
        'narrower query.)',
    );
  return [...kept, ...(notice === null ? [] : [notice])].join('\n');
}
