/** The end of a failed job's error when its reason is unknown or must not be shown. */
export const unexplainedFailure = 'the log says why';

/** The reason of a failed job, if there is one to show. */
export const findReason = (error: string | null): string | null =>
  error?.endsWith(unexplainedFailure) ? null : error;
