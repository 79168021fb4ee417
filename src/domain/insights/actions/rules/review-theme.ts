import { z } from 'zod';
import { addDays } from '#lib/dates.ts';
import { collectTopics, cutReview, type Topic } from '#domain/tracking/reviews/topics.ts';
import type { AppFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { count, quote, shorten } from '../format-text.ts';

const type = 'review-theme';
const rule = thresholds[type];
const maxThemes = 5;
const counted = z.object({ reviews: z.number() });

/** Several recent low reviews share a topic. */
export const reviewTheme: AppRule = {
  type,
  scope: 'app',
  evaluate: ({ app, today, reviews }: AppFacts) => {
    const isRead =
      reviews.readOn !== null && reviews.readOn >= addDays(today, -rule.readWithinDays);
    const topics = collectTopics(reviews.low.map(cutReview), maxThemes);
    return {
      findings: topics.flatMap((topic) => evaluateTopic(app.id, topic, reviews) ?? []),
      undecided: isRead ? [] : [keyOf(type, app.id)],
    };
  },
  // Twice as many reviews are news.
  isNews: (evidence, closed) => {
    const [is, was] = [evidence, closed].map((one) => counted.safeParse(one).data);
    return is && was ? is.reviews >= 2 * was.reviews : null;
  },
};

function evaluateTopic(
  appId: number,
  topic: Topic,
  { low, lowInAll }: AppFacts['reviews'],
): Finding | null {
  const lowReviews = low.length;
  const share = topic.count / lowReviews;
  if (topic.count < rule.minReviews || share < rule.minShare) return null;
  const examined =
    lowInAll > lowReviews
      ? `newest ${lowReviews} of ${count(lowInAll, 'review')}`
      : count(lowReviews, 'review');
  return {
    key: keyOf(type, appId, shorten(topic.phrase, 60)),
    // Decides alone where the evidence of a closed action cannot be read.
    fingerprint: `2^${Math.floor(Math.log2(topic.count))}`,
    severity: topic.count >= rule.highReviews ? 'high' : 'medium',
    title:
      `${count(topic.count, 'low-rated review')} of the last ${rule.withinDays} days mention ` +
      `${quote(topic.phrase)}`,
    reason:
      `That is ${Math.round(share * 100)} % of the ${examined} with ` +
      `${rule.maxRating} stars or fewer. Read them, then reply or fix the problem they share.`,
    evidence: {
      phrase: topic.phrase,
      reviews: topic.count,
      lowReviews,
      lowReviewsInAll: lowInAll,
      share: Math.round(share * 1_000) / 1_000,
      maxRating: rule.maxRating,
      stars: topic.stars,
      exampleReviewIds: topic.exampleIds,
    },
    keywordIds: [],
    weight: topic.count,
  };
}
