import type { StoreTaskKind } from '#domain/base/ports.ts';

/** The API's name for a kind of store task. */
export const loadNames = {
  reviews: 'reviews',
  page: 'pages',
  chart: 'charts',
  hints: 'hints',
} as const satisfies Record<StoreTaskKind, string>;
