import { beforeAll } from 'vitest';

interface Suite {
  shuffle?: boolean | undefined;
  tasks: readonly object[];
}

/**
 * Keeps the tests of a file in the order in which they are written. Only for files in which one
 * test builds on another; `reason` says how.
 */
export function keepOrder(_reason: string): void {
  // oxlint-disable-next-line no-empty-pattern -- vitest insists on a pattern for fixtures.
  beforeAll(({}, file) => stopShuffling(file as Suite));
}

function stopShuffling(suite: Suite): void {
  suite.shuffle = false;
  for (const task of suite.tasks) if ('tasks' in task) stopShuffling(task as Suite);
}
