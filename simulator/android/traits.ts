import { mix } from '../world/hash.ts';
import type { StoreTraits } from '../world/store-traits.ts';
import { categoryOf } from './categories.ts';

const maxSummaryLength = 80;
/** Reviews follow `hl` more than `gl`: these countries show those of another of their language. */
const sameReviews: Readonly<Record<string, string>> = {
  at: 'de',
  ch: 'de',
  ar: 'mx',
  cl: 'mx',
  co: 'mx',
  pe: 'mx',
};

export const androidTraits: StoreTraits = {
  seedOffset: 2,
  makeAppId: (_, bundleId) => bundleId,
  makeReviewId: makeUuid,
  reviewsCountryOf: (country) => sameReviews[country] ?? country,
  makeSubtitle: (text, quality) => `${text}. ${quality}.`.slice(0, maxSummaryLength),
  categoryName: (subject) => categoryOf(subject.name).name,
  isInCategory(subject, categoryId) {
    const { id } = categoryOf(subject.name);
    // `GAME` is the store's category for all games.
    return id === categoryId || (categoryId === 'GAME' && id.startsWith('GAME'));
  },
  allAppsCategory: 'APPLICATION',
  maxHints: 5,
  listCountedApps: ({ hugeInstalls }) => [
    { storeAppId: 'app.babel.translate', brand: 'Babel', installs: 1_619_908_402n },
    { storeAppId: 'app.exact.counter', brand: 'Exacta', installs: 9_007_199_254_740_993n },
    ...(hugeInstalls
      ? [{ storeAppId: 'app.limit.counter', brand: 'Limita', installs: 9_223_372_036_854_775_807n }]
      : []),
  ],
  standardMode: ({ androidMode }) => androidMode,
  countVisible: (available, mode, { androidFirstPage }) =>
    mode === 'deep' ? available : Math.min(androidFirstPage, available),
};

function makeUuid(a: number, b: number): string {
  const hex = [a, b, mix(a, b), mix(b, a)]
    .map((word) => word.toString(16).padStart(8, '0'))
    .join('');
  const [first, second, third] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16)];
  return `${first}-${second}-4${third}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
