import type { Position } from './competitor-positions.ts';

/**
 * ahead      both rank, the app higher
 * behind     both rank, the competitor higher
 * pure       only the competitor ranks, within the depth to which the app was examined
 * alone      only the app ranks, within the depth to which the competitor was examined
 * neither    neither was found
 * unknown    one ranks deeper than the other was examined, so they cannot be compared
 */
export type Verdict = 'ahead' | 'behind' | 'pure' | 'alone' | 'neither' | 'unknown';

export function verdictOf(own: Position, competitor: Position): Verdict {
  if (own.position !== null && competitor.position !== null)
    return own.position <= competitor.position ? 'ahead' : 'behind';
  if (competitor.position !== null) return competitor.position <= own.depth ? 'pure' : 'unknown';
  if (own.position !== null) return own.position <= competitor.depth ? 'alone' : 'unknown';
  return 'neither';
}

export interface Overlap {
  /** Keywords for which both apps were examined deep enough for a comparison. */
  compared: number;
  both: number;
  /** Compared keywords on which the app is ahead. */
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
