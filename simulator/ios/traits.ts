import type { StoreTraits } from '../world/store-traits.ts';
import { genreOf } from './genres.ts';

const maxSubtitleLength = 30;
const maxResults = 200;

export const iosTraits: StoreTraits = {
  seedOffset: 1,
  makeAppId: (index) => String(1_000_000_000 + ((index * 131_071) % 480_000_000)),
  makeReviewId: (a, b) => `${10_000 + (a % 90_000)}${String(b % 1_000_000).padStart(6, '0')}`,
  reviewsCountryOf: (country) => country,
  makeSubtitle: (text) => text.slice(0, maxSubtitleLength),
  categoryName: (subject) => subject.name,
  isInCategory: (subject, categoryId) => String(genreOf(subject.name)) === categoryId,
  allAppsCategory: '36',
  maxHints: 10,
  listCountedApps: () => [],
  standardMode: () => 'deep',
  countVisible: (available) => Math.min(maxResults, available),
};
