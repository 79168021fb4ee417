import type { ChoreKind } from '../ports.ts';

/** What the API calls a day's chores of a kind. */
export const loadNames = {
  reviews: 'reviews',
  page: 'pages',
  chart: 'charts',
  hints: 'hints',
} as const satisfies Record<ChoreKind, string>;
