import type { Budget, Run } from '#web/api.ts';

/** In the order of execution; the last is skipped first. */
export const loadKinds = [
  'rankChecks',
  'appRefreshes',
  'reviews',
  'pages',
  'charts',
  'hints',
  'probes',
] as const satisfies readonly (keyof Budget['fanOut'][number]['kinds'])[];

/** The kinds of work that can be skipped, in the order of skipping. */
export const shedKinds = [
  'hints',
  'charts',
  'pages',
  'reviews',
  'appRefreshes',
] as const satisfies readonly (keyof Run['shed'])[];

export const gapReasons = [
  'store_error',
  'not_served',
  'shed',
  'over_quota',
  'not_yet_run',
  'paused',
] as const satisfies readonly (keyof Run['gaps'])[];

export function sumShed(run: Run): number {
  return shedKinds.reduce((sum, kind) => sum + run.shed[kind], 0);
}
