import type { Allowances } from './reading.ts';
import type { ParserName } from './mutation-readings.ts';

const items: Allowances[string] = ['nothing else in the body states the order', 'order'];
const rating: Allowances[string] = ['an app without ratings has none', 'absent', 'decimal'];
const ratingCount: Allowances[string] = ['an app without ratings has none', 'absent'];
const shownCount: Allowances[string] = [
  'a new app has none; it is exact, or rounded for people',
  'absent',
  'other',
];
const icons: Allowances[string] = ['an icon of another size takes its place', 'other'];
const token: Allowances[string] = ['the last page has none', 'absent'];

const itunesCard: Allowances = {
  items,
  rating: ['a rating has a fraction', 'decimal'],
  ratingCount,
  iconUrl: icons,
  developer: ['the seller takes the place of the artist', 'other'],
};

const blank: Allowances[string] = ['people may leave it empty', 'blank'];
const itunesFeed: Allowances = {
  items: ['an empty page is confirmed in the other form', 'order', 'fewer'],
  entries: ['it counts the entries', 'follows'],
  lastPage: ['without it the reader continues to an empty page', 'cautious'],
  author: blank,
  title: blank,
  body: blank,
  version: ['a feed may lack it in all entries', 'absent'],
  reviewedAt: ['the feeds of 2021 lack it in all entries', 'absent'],
};

/**
 * The changes of a body that no parser can notice, because the store sends such bodies too. Every
 * other change must be refused, or named in `unread`.
 */
export const allowances: Record<ParserName, Allowances> = {
  itunesSearch: itunesCard,
  itunesLookup: {
    ...itunesCard,
    releaseNotes: ['a first version has none', 'absent'],
    priceMicros: ['a price has a fraction', 'decimal'],
    screenshotUrls: ['those of the tablet take their place', 'other', 'absent'],
    languages: ['an app may name none', 'fewer', 'absent'],
  },
  itunesChart: { items, iconUrl: icons },
  itunesHints: { items: ['an empty list is confirmed by the reader', 'order', 'fewer'] },
  itunesReviews: itunesFeed,
  itunesReviewsXml: itunesFeed,
  applePage: {
    items: ['a new app has none; stories name the same apps', 'order', 'fewer', 'elsewhere'],
    rating,
    ratingCount: shownCount,
    developer: ['lockups of app pages may lack it', 'absent'],
  },
  webSearch: {
    items: ['an ad names an app that is a result too', 'order', 'elsewhere'],
    card: ['the first shelf may be shorter', 'absent'],
    rating,
    ratingCount: shownCount,
    developer: ['lockups of app pages may lack it', 'absent'],
    ads: ['it counts the results before an ad', 'follows'],
    hasMore: ['a short list of results has no next page', 'absent'],
  },
  playSearch: { items, rating, ratingCount, token },
  playContinuation: {
    items: ['a null payload says that the token is not valid', 'order', 'fewer'],
    rating,
    token,
  },
  playDetails: {
    rating: ['an app without ratings has none', 'absent'],
    ratingCount,
    version: ['"varies with device"', 'absent'],
    minimumOsVersion: ['"varies with device"', 'absent'],
    releaseNotes: ['the developer need not write any', 'absent'],
    releasedAt: ['pages in many countries lack it', 'absent'],
    screenshotUrls: ['nothing states the length of the list', 'fewer'],
    installs: ['some apps have more than 2^53 in theory', 'large'],
  },
  playPage: {
    items: ['an app that is new has none', 'order', 'fewer'],
    rating,
    ratingCount,
    histogram: ['an app without ratings has none', 'absent'],
    similarPath: ['it goes with the similar apps', 'follows'],
  },
  playCluster: { items, rating, token },
  playReviews: {
    items: ['an empty payload says that there are none', 'order', 'fewer'],
    body: ['people may rate without a text', 'absent'],
    version: ['the store does not always know it', 'absent'],
    reviewedAt: ['an instant on a whole second has no nanoseconds', 'seconds'],
    reply: ['most reviews have none', 'absent', 'seconds'],
    token,
  },
  playChart: { items: ['a null payload says that there is no chart', 'order', 'fewer'], rating },
  playHints: { items: ['a null payload says that there are none', 'order', 'fewer'] },
};
