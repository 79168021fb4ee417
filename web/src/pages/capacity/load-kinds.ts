import type { Budget, Run } from '../../api.ts';

/** In the order a day does them; what comes last is left out first. */
export const loadKinds = [
  'rankChecks',
  'appRefreshes',
  'reviews',
  'pages',
  'charts',
  'hints',
  'canaries',
] as const satisfies readonly (keyof Budget['fanOut'][number]['kinds'])[];

/** What a day that is too short does without, in the order it is given up. */
export const shedKinds = [
  'hints',
  'charts',
  'pages',
  'reviews',
  'appRefreshes',
] as const satisfies readonly (keyof Run['shed'])[];

export const gapReasons = [
  'store_error',
  'shed',
  'over_quota',
  'not_yet_run',
  'paused',
] as const satisfies readonly (keyof Run['gaps'])[];

export function sumShed(run: Run): number {
  return shedKinds.reduce((sum, kind) => sum + run.shed[kind], 0);
}
