import type { Position } from './competitor-positions.ts';

/**
 * ahead      both stand, the app higher
 * behind     both stand, the competitor higher
 * pure       the competitor stands where the app was looked for and not found
 * alone      the app stands where the competitor was looked for and not found
 * neither    nobody was found
 * unknown    one stands deeper than the other was looked for: nothing can be said
 */
export type Verdict = 'ahead' | 'behind' | 'pure' | 'alone' | 'neither' | 'unknown';

export function evaluate(own: Position, competitor: Position): Verdict {
  if (own.position !== null && competitor.position !== null)
    return own.position <= competitor.position ? 'ahead' : 'behind';
  if (competitor.position !== null) return competitor.position <= own.depth ? 'pure' : 'unknown';
  if (own.position !== null) return own.position <= competitor.depth ? 'alone' : 'unknown';
  return 'neither';
}

export interface Overlap {
  /** Keywords for which both were examined deep enough for a comparison. */
  compared: number;
  both: number;
  /** The part of them with the app ahead. */
  wins: number;
  losses: number;
  onlyOwn: number;
  onlyCompetitor: number;
}

export function countVerdicts(verdicts: readonly Verdict[]): Overlap {
  const count = (verdict: Verdict) => verdicts.filter((given) => given === verdict).length;
  const [wins, losses] = [count('ahead'), count('behind')];
  return {
    compared: verdicts.length - count('unknown'),
    both: wins + losses,
    wins,
    losses,
    onlyOwn: count('alone'),
    onlyCompetitor: count('pure'),
  };
}
