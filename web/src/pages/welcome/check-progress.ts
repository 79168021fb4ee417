import type { Keyword } from '#web/api.ts';
import { isWaiting } from '#web/queries/keywords.ts';

type Row = Pick<Keyword, 'id' | 'pending'>;

/**
 * The state of each row since the step was opened: `before` was completed by then. A completed one
 * stays so: a check that failed is repeated, and the row waits again.
 */
export type CheckProgress = ReadonlyMap<number, 'before' | 'waiting' | 'completed'>;

/** Returns the same map if nothing changed. */
export function updateProgress(progress: CheckProgress, rows: readonly Row[]): CheckProgress {
  const next = new Map(progress);
  for (const row of rows) {
    const state = progress.get(row.id) ?? (isWaiting(row) ? 'waiting' : 'before');
    next.set(row.id, state === 'waiting' && !isWaiting(row) ? 'completed' : state);
  }
  return rows.some(({ id }) => next.get(id) !== progress.get(id)) ? next : progress;
}

/**
 * Counts the rows that exist. The remaining time follows from those completed since the step was
 * opened, `seconds` ago; it is null while there are none.
 */
export function measureProgress(
  progress: CheckProgress,
  { rows, total, seconds }: { rows: readonly Row[]; total: number; seconds: number },
): { counted: number; secondsLeft: number | null } {
  const states = rows.map(({ id }) => progress.get(id));
  const completed = states.filter((state) => state === 'completed').length;
  const counted = completed + states.filter((state) => state === 'before').length;
  return {
    counted,
    secondsLeft: completed === 0 ? null : Math.ceil((seconds / completed) * (total - counted)),
  };
}
