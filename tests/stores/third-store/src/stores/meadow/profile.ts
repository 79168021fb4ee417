import type { StoreProfile } from '#stores/profile.ts';

/** An invented store of the smallest kind: searches, listings and hints, nothing else. */
export const meadowProfile: StoreProfile<'meadow'> = {
  id: 'meadow',
  name: 'Meadow',
  devices: [{ id: 'tablet', name: 'Tablet', form: 'tablet' }],
  appId: {
    pattern: /^m-\d{6}$/,
    maxLength: 8,
    typed: /^(m-\d{6})$/,
    example: 'a number with its letter, like m-000042',
  },
  appAddress: {
    hosts: ['meadow.example'],
    country: /meadow\.example\/[a-z]{2}\//,
    example: 'https://meadow.example/us/apps/m-000042',
  },
  search: {
    providers: [
      {
        name: 'meadow',
        description: 'its search',
        isDefault: true,
        hasAllCards: true,
        devices: ['tablet'],
      },
    ],
    firstPage: 40,
    nextPage: 20,
    minFirstResults: 10,
  },
  probe: { phrase: 'journal', country: 'us' },
  listingsPerRequest: 10,
  reviewsPerPage: 20,
  hints: { positions: 8, emptyNeedsConfirmation: false },
  tasks: { hints: { usualRequests: 3 } },
  charts: [],
  categories: [['health', 'Health', null]],
  texts: {
    title: { max: 50, isSearched: true },
    subtitle: null,
    summary: null,
    description: { max: 1_000, isSearched: false },
    keywordField: null,
  },
  pace: { requestsPerMinute: 7, cooldownSeconds: [60, 120, 240] },
  scores: {
    difficulty: {
      weights: { strength: 0.4, leaders: 0.2, titles: 0.3, quality: 0.05, age: 0.05 },
      ratingsForNone: 100,
      ratingsForFull: 100_000,
      unknownRatingsAreNone: true,
    },
    traffic: {
      weights: { early: 0.5, rank: 0.1, continuations: 0.1, length: 0.1, charts: 0, serp: 0.2 },
      suggestsSingleWordsSeldom: false,
    },
  },
  popularity: null,
  images: null,
  iconRadiusPercent: 50,
};
