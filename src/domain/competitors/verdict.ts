import type { Place } from './rival-places.ts';

/**
 * ahead      both stand, the app higher
 * behind     both stand, the competitor higher
 * pure       the competitor stands where the app was looked for and not found
 * alone      the app stands where the competitor was looked for and not found
 * neither    nobody was found
 * unknown    one stands deeper than the other was looked for: nothing can be said
 */
export type Verdict = 'ahead' | 'behind' | 'pure' | 'alone' | 'neither' | 'unknown';

export function judge(own: Place, rival: Place): Verdict {
  if (own.position !== null && rival.position !== null)
    return own.position <= rival.position ? 'ahead' : 'behind';
  if (rival.position !== null) return rival.position <= own.depth ? 'pure' : 'unknown';
  if (own.position !== null) return own.position <= rival.depth ? 'alone' : 'unknown';
  return 'neither';
}

export interface Overlap {
  /** Keywords on which both were looked for deep enough to be compared. */
  compared: number;
  both: number;
  /** Of these, with the app ahead. */
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
