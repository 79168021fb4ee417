import { setPriority } from 'node:os';

/**
 * Nice values of work that computes beside the event loop. It gives way to requests and checks, and
 * still goes on where they keep every core busy: at 15 it would have 3 % of what they have.
 */
export const priorities = {
  /** Somebody waits for a file and sees its progress. */
  files: 5,
  /** Several large reads of one workspace may run at once. */
  heavyReads: 10,
  /** Backups and Parquet files, for which nobody waits. */
  nightly: 10,
} as const;

/** Only Linux has a priority of a thread; elsewhere it would be the one of the whole process. */
export function setThreadPriority(priority: number): void {
  if (process.platform === 'linux') setProcessPriority(priority);
}

/**
 * A filter of system calls may refuse it, and so does the system where the process already gives
 * way to more. The work is done at the priority that it has then.
 */
export function setProcessPriority(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    // Nothing depends on it.
  }
}
