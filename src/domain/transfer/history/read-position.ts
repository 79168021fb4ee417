import { maxPosition } from '#domain/tracking/rankings/daily-rank-codec.ts';
import type { HistoryReason, Reading } from './reading.ts';

export type FoundPosition = { position: number | null; depth: number } | HistoryReason;

type Rules = Pick<Reading, 'notFound' | 'decimal' | 'deeper' | 'depth'>;

const beyond = /^> ?(\d{1,5})$/;
const plain = /^\d{1,9}$/;
const numbers = {
  '.': /^(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.0+)?$/,
  ',': /^(\d{1,3}(?:\.\d{3})+|\d{1,9})(?:,0+)?$/,
} as const;

/**
 * Reads the cell of a position. A value is “not found” only when the reading says so, or in the
 * form `>N`; it needs a depth. A position without a depth was examined at least that deep. Anything
 * else is a reason for refusing the row.
 */
export function createPositionReader(
  rules: Rules,
): (cell: string, depthCell: string) => FoundPosition {
  const notFound = new Set(rules.notFound.map((word) => word.trim().toLowerCase()));
  const number = numbers[rules.decimal];
  const readNumber = (text: string): number | null => {
    if (plain.test(text)) return Number(text);
    const whole = number.exec(text)?.[1];
    return whole === undefined ? null : Number(whole.replaceAll(/[.,]/g, ''));
  };
  return (cell, depthCell) => {
    const examined = depthCell === '' ? (rules.depth ?? null) : readNumber(depthCell);
    if (depthCell !== '' && (examined === null || examined < 1)) return 'bad_depth';
    // Deeper than 200 is not stored, and includes 200.
    const depth = examined === null ? null : Math.min(examined, maxPosition);
    const isNotFound = notFound.has(cell.toLowerCase());
    const within = isNotFound ? null : beyond.exec(cell)?.[1];
    if (within !== null && within !== undefined) {
      const positions = Math.min(Number(within), maxPosition);
      return positions < 1 ? 'bad_position' : { position: null, depth: positions };
    }
    if (isNotFound) return depth === null ? 'depth_unknown' : { position: null, depth };
    if (cell === '') return 'no_position';
    const position = readNumber(cell);
    if (position === null || position < 1) return 'bad_position';
    if (depthCell !== '' && examined !== null && position > examined) return 'beyond_depth';
    if (position > maxPosition)
      return rules.deeper === 'refused' ? 'beyond_200' : { position: null, depth: maxPosition };
    return { position, depth: Math.max(position, depth ?? position) };
  };
}
