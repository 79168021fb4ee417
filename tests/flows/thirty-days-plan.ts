import type { FaultRule, Overrides } from '#simulator/server.ts';
import { addDays, listDays } from '#lib/dates.ts';

/**
 * Two workspaces live through the same days. In `us`, where Ann is, nothing happens except the
 * overrides defined here, so that each of her events, actions and deliveries can be listed
 * beforehand (thirty-days-outcome.ts). In `gb`, where Bob is, the world moves as usual, and his
 * events are computed from the simulator's ground truth (thirty-days-movement.ts).
 */
export const scale = process.env.TORTURE
  ? { days: 32, bobsPhrases: 12 }
  : { days: 10, bobsPhrases: 4 };
/** A Monday. */
export const firstDay = '2026-03-02';
export const dayOf = (number: number) => addDays(firstDay, number);
export const days = listDays(firstDay, dayOf(scale.days - 1));
export const world = {
  apps: 400,
  resultsPerSearch: 60,
  androidMode: 'web30',
  still: { since: firstDay, countries: ['us'] },
} as const;

export const own = {
  ios: { store: 'ios', storeAppId: '1011534248' },
  android: { store: 'android', storeAppId: 'com.vewise.nosy325' },
} as const;
export const competitors = {
  /** Has positions in what Ann tracks, and changes its listing. */
  steady: { store: 'ios', storeAppId: '1013238171' },
  /** Enters it. */
  newcomer: { store: 'ios', storeAppId: '1046399134' },
  android: { store: 'android', storeAppId: 'com.kara.halmen169' },
} as const;
/** Nobody's competitor. */
export const stranger = { store: 'ios', storeAppId: '1008781757' } as const;

export const phrases = {
  ios: ['habit tracker', 'mood journal', 'gratitude journal', 'daily planner', 'goal tracker'],
  android: ['habit tracker', 'mood tracker'],
} as const;

/** The positions of Ann's apps from a day on; null is not found. */
export const positions: {
  store: 'ios' | 'android';
  phrase: string;
  from: [day: number, position: number | null][];
}[] = [
  {
    store: 'ios',
    phrase: 'habit tracker',
    from: [
      [0, 8],
      [6, null],
      [8, 8],
      [17, 20],
      [24, 8],
    ],
  },
  {
    store: 'ios',
    phrase: 'mood journal',
    from: [
      [0, 20],
      [7, 55],
      [14, 20],
    ],
  },
  {
    store: 'ios',
    phrase: 'gratitude journal',
    from: [
      [0, 13],
      [4, 15],
      [19, 9],
    ],
  },
  { store: 'ios', phrase: 'daily planner', from: [[0, 18]] },
  { store: 'ios', phrase: 'goal tracker', from: [[0, 30]] },
  {
    store: 'android',
    phrase: 'habit tracker',
    from: [
      [0, 9],
      [4, 18],
    ],
  },
  {
    store: 'android',
    phrase: 'mood tracker',
    from: [
      [0, 25],
      [2, null],
      [3, 25],
      [6, null],
      [7, 25],
    ],
  },
];

export const texts = {
  title: ['Nimnest: Goal & Habit Tracker', 'Nimnest: Habit & Goal Tracker'],
  subtitle: ['Mood & gratitude journal', 'Mood journal'],
  androidTitle: 'Nosy: Mood & Habit Tracker',
  summary: 'Mood tracker and habit tracker with a calm plan for every new morning',
  competitorTitle: 'Yodex: Habit Equalizer',
  androidCompetitorTitle: 'Halmen - Keto Diet Diary',
  field: 'habit,planner,daily',
  betterField:
    'planner,daily,gratitude,routine,streak,wellness,breathing,focus,evening,water,diary,rings,sleep',
} as const;

const us = { country: 'us' } as const;
const complaints = [
  'The rings stay grey',
  'My phone and tablet differ',
  'Nothing arrives',
  'Two accounts now',
  'Worse than ever',
  'Since yesterday',
];

/** The day is that of the first run after it was written. */
export const flood = {
  day: 3,
  low: complaints.map((body, index) => ({
    ...own.ios,
    ...us,
    at: `${dayOf(2)}T1${index}:00:00Z`,
    rating: 1,
    title: 'Sync fails',
    body: `${body}.`,
    author: `person ${index}`,
    version: '9.0.0',
    storeReviewId: `9900000000${index}`,
  })),
};
export const reviews = {
  turned: {
    ...own.ios,
    ...us,
    title: 'Fine',
    body: 'Lovely rings.',
    author: 'turncoat',
    version: '9.0.0',
    storeReviewId: '99000000010',
  },
  android: { ...own.android, ...us, title: '', version: '1.0', author: 'somebody' },
};

export const overrides: Overrides = {
  positions: [
    ...positions.flatMap(({ store, phrase, from }) =>
      from.map(([day, position]) => ({
        ...own[store],
        ...us,
        phrase,
        day: dayOf(day === 0 ? -1 : day),
        position,
      })),
    ),
    { ...competitors.steady, ...us, phrase: 'habit tracker', day: dayOf(-1), position: 12 },
    { ...competitors.newcomer, ...us, phrase: 'habit tracker', day: dayOf(-1), position: null },
    ...phrases.android.map((phrase) => ({
      ...competitors.android,
      ...us,
      phrase,
      day: dayOf(-1),
      position: null,
    })),
  ],
  entrants: [
    { ...stranger, ...us, phrase: 'gratitude journal', day: dayOf(8), position: 4 },
    { ...competitors.newcomer, ...us, phrase: 'mood journal', day: dayOf(8), position: 6 },
  ],
  releases: [
    {
      ...own.ios,
      day: dayOf(-1),
      fields: { title: texts.title[0], subtitle: texts.subtitle[0], version: '8.0.0' },
    },
    { ...own.ios, day: dayOf(2), fields: { title: texts.title[1], version: '9.0.0' } },
    { ...own.ios, day: dayOf(3), fields: { priceMicros: 2_990_000 } },
    { ...own.ios, day: dayOf(5), fields: { subtitle: texts.subtitle[1] } },
    { ...own.ios, day: dayOf(20), fields: { rating: 4 } },
    {
      ...own.android,
      day: dayOf(-1),
      fields: { title: texts.androidTitle, subtitle: texts.summary, version: '1.0' },
    },
    {
      ...own.android,
      day: dayOf(7),
      fields: { description: 'A mood tracker and habit tracker, now with everything.' },
    },
    {
      ...competitors.steady,
      day: dayOf(6),
      fields: { title: texts.competitorTitle, description: 'Nobody reads this.' },
    },
    { ...competitors.android, day: dayOf(4), fields: { title: texts.androidCompetitorTitle } },
  ],
  reviews: [
    ...flood.low,
    {
      ...own.ios,
      ...us,
      at: `${dayOf(-40)}T10:00:00Z`,
      rating: 1,
      body: 'Long ago.',
      version: '8.0.0',
    },
    {
      ...own.ios,
      ...us,
      at: `${dayOf(2)}T20:00:00Z`,
      rating: 3,
      body: 'Neither good nor bad.',
      version: '9.0.0',
    },
    { ...reviews.turned, at: `${dayOf(1)}T10:00:00Z`, rating: 5 },
    { ...reviews.turned, at: `${dayOf(5)}T10:00:00Z`, rating: 2, body: 'The rings are gone.' },
    {
      ...reviews.android,
      at: `${dayOf(2)}T10:00:00Z`,
      rating: 2,
      body: 'Not for me.',
      storeReviewId: '00000000-0000-4000-a000-000000000001',
    },
    {
      ...reviews.android,
      at: `${dayOf(5)}T10:00:00Z`,
      rating: 1,
      body: 'It took my money.',
      storeReviewId: '00000000-0000-4000-a000-000000000002',
    },
  ],
};

/** Days on which a store does not respond at all. */
const outages: { store: 'ios' | 'android'; from: number; to: number }[] = [
  { store: 'android', from: 4, to: 4 },
  { store: 'ios', from: 12, to: 12 },
  { store: 'android', from: 26, to: 29 },
];
/**
 * Searches that fail while the store responds to others. Bob's: across three days positions are
 * compared, across four they are not.
 */
const silences: { country: string; phrase: string; from: number; to: number }[] = [
  { country: 'us', phrase: 'goal tracker', from: 1, to: 3 },
  { country: 'us', phrase: 'habit tracker', from: 16, to: 19 },
  { country: 'gb', phrase: 'habit tracker', from: 3, to: 5 },
  { country: 'gb', phrase: 'habit tracker free', from: 3, to: 6 },
];
/**
 * From the first of these runs to noon of the last day one of Ann's receivers responds with 503.
 */
export const receiverDown = { from: 3, to: 5 };

export const isOut = (store: 'ios' | 'android', day: number) =>
  outages.some((outage) => outage.store === store && isWithin(outage, day));

const isWithin = ({ from, to }: { from: number; to: number }, day: number) =>
  day >= from && day <= to;

export function isReachable(
  market: { store: 'ios' | 'android'; country: string; phrase: string },
  day: number,
): boolean {
  const isSilent = silences.some(
    (silence) =>
      silence.country === market.country &&
      silence.phrase === market.phrase &&
      isWithin(silence, day),
  );
  return !isOut(market.store, day) && !(market.store === 'ios' && isSilent);
}

export function faultsOf(day: number): FaultRule[] {
  return [
    ...outages
      .filter((outage) => isWithin(outage, day))
      .map(({ store }): FaultRule => ({ fault: '503', store })),
    ...silences
      .filter((silence) => isWithin(silence, day))
      .map(({ country, phrase }): FaultRule => ({
        fault: '503',
        store: 'ios',
        kind: 'search',
        country,
        phrase,
      })),
  ];
}
