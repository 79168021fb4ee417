import { maxPosition } from '../rankings/cells.ts';

const number = /^[1-9]\d{0,2}$/;
const beyond = /^> ?([1-9]\d{0,2})$/;

/**
 * What another tool's row says: a place, or that the app was looked for within so many places and not found. Null when it
 * says of no check; a text is the rule that the row breaks. A place whose depth nobody tells was looked for at least that far.
 */
export function readHistoryCell(
  position: string,
  depth: string,
  usualDepth: number | undefined,
): { position: number | null; depth: number } | string | null {
  const told = depth === '' ? usualDepth : readWithin(depth);
  if (told === null) return 'a depth of 1 to 200';
  const notWithin = beyond.exec(position)?.[1];
  if (notWithin !== undefined) {
    const places = readWithin(notWithin);
    return places === null ? 'at most >200' : { position: null, depth: places };
  }
  if (position === '' || position === 'null')
    return told === undefined ? null : { position: null, depth: told };
  const place = readWithin(position);
  if (place === null) return '1 to 200, >N, or empty; never 0';
  if (depth !== '' && told !== undefined && place > told) return 'a position within its depth';
  return { position: place, depth: Math.max(place, told ?? place) };
}

function readWithin(text: string): number | null {
  return number.test(text) && Number(text) <= maxPosition ? Number(text) : null;
}
