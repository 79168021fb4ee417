import type { EventData } from './event-data.ts';

const keyword = { keywordId: 481, phrase: 'habit tracker', country: 'us' };
const listing = {
  store: 'ios' as const,
  storeAppId: '1500000007',
  name: 'Lumen Habits',
  developer: 'Lumen Labs',
};

/** One payload of each type as it can come; what POST /webhooks/{id}/test sends and GET /events/types shows. */
export const eventSamples: EventData = {
  'metadata.changed': {
    subject: 'competitor',
    competitorId: 12,
    listing,
    country: 'us',
    date: '2026-11-21',
    previousDate: '2026-11-20',
    changes: [
      { field: 'subtitle', before: 'Build better habits', after: 'Habit tracker & streaks' },
    ],
  },
  'rank.dropped': {
    ...keyword,
    from: { date: '2026-11-20', position: 8, depth: 200 },
    to: { date: '2026-11-21', position: 21, depth: 200 },
    places: -13,
    reasons: ['moved', 'crossed'],
    crossed: [10],
  },
  'rank.improved': {
    ...keyword,
    from: { date: '2026-11-20', position: null, depth: 200 },
    to: { date: '2026-11-21', position: 47, depth: 200 },
    places: null,
    reasons: ['entered', 'crossed'],
    crossed: [50],
  },
  'review.negative': {
    reviewId: 90_210,
    storeReviewId: '11800000001',
    country: 'us',
    rating: 1,
    title: 'Lost my streak',
    text: 'After the update all my habits were gone.',
    author: 'june_b',
    version: '4.2.0',
    writtenAt: '2026-11-20T18:04:00.000Z',
  },
  'digest.weekly': {
    week: '2026-11-16',
    from: '2026-11-16',
    to: '2026-11-22',
    apps: [
      {
        appId: 3,
        store: 'ios',
        name: 'Lumen Habits',
        keywords: 120,
        ranked: 84,
        notFound: 33,
        notChecked: 3,
        top3: 6,
        top10: 19,
        averagePosition: 41.3,
        improved: 22,
        dropped: 15,
        visibility: { from: 4.31, to: 5.02 },
        coverage: 0.9881,
        gained: [
          {
            ...keyword,
            from: { date: '2026-11-16', position: 44, depth: 200 },
            to: { date: '2026-11-22', position: 12, depth: 200 },
            places: 32,
          },
        ],
        lost: [],
        rating: 4.6,
        newReviews: 31,
        negativeReviews: 2,
        metadataChanges: 1,
        openActions: 4,
      },
    ],
    moreApps: 0,
    events: { 'rank.dropped': 15, 'rank.improved': 22, 'metadata.changed': 1 },
  },
  'serp.entrant': {
    ...keyword,
    date: '2026-11-21',
    position: 4,
    depth: 200,
    entrant: listing,
    competitorId: null,
    daysWithout: 7,
  },
  'action.opened': {
    actionId: 77,
    actionType: 'striking-distance',
    severity: 'medium',
    title: '“habit tracker” stands just outside the top 10',
    reason: 'It has been at 11 or 12 for five checked days and has traffic 63.',
    evidence: { keywordId: 481, positions: [12, 11, 11, 12, 11], traffic: 63 },
    keywordIds: [481],
  },
};
