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

/** Null for a keyword on which the competitor's position is unknown. */
export function countVerdicts(verdicts: readonly (Verdict | null)[]): Overlap {
  const counts = { ahead: 0, behind: 0, pure: 0, alone: 0, neither: 0, unknown: 0 };
  for (const verdict of verdicts) if (verdict !== null) counts[verdict] += 1;
  const { ahead, behind, pure, alone, neither } = counts;
  const both = ahead + behind;
  return {
    compared: both + pure + alone + neither,
    both,
    wins: ahead,
    losses: behind,
    onlyOwn: alone,
    onlyCompetitor: pure,
  };
}
