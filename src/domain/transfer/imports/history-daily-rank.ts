import { maxPosition } from '#domain/tracking/rankings/daily-rank-codec.ts';

const number = /^[1-9]\d{0,2}$/;
const beyond = /^> ?([1-9]\d{0,2})$/;

/**
 * Parses another tool's row: a position, or not found within a depth. Returns null for an unchecked
 * day, and a string for a broken rule. A position without a depth was examined at least that deep.
 */
export function parseHistoryDailyRank(
  position: string,
  depth: string,
  usualDepth: number | undefined,
): { position: number | null; depth: number } | string | null {
  const examined = depth === '' ? usualDepth : readWithin(depth);
  if (examined === null) return 'a depth of 1 to 200';
  const notWithin = beyond.exec(position)?.[1];
  if (notWithin !== undefined) {
    const positions = readWithin(notWithin);
    return positions === null ? 'at most >200' : { position: null, depth: positions };
  }
  if (position === '' || position === 'null')
    return examined === undefined ? null : { position: null, depth: examined };
  const found = readWithin(position);
  if (found === null) return '1 to 200, >N, or empty; never 0';
  if (depth !== '' && examined !== undefined && found > examined)
    return 'a position within its depth';
  return { position: found, depth: Math.max(found, examined ?? found) };
}

function readWithin(text: string): number | null {
  return number.test(text) && Number(text) <= maxPosition ? Number(text) : null;
}
