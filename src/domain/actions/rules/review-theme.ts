import { addDays } from '../../../lib/dates.ts';
import { collectTopics, cutReview, type Topic } from '../../reviews/topics.ts';
import type { AppFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { count, quote, shorten } from '../wording.ts';

const type = 'review-theme';
const rule = thresholds[type];
const mostThemes = 5;

/** Several recent low reviews say the same. */
export const reviewTheme: AppRule = {
  type,
  scope: 'app',
  judge: ({ app, today, reviews }: AppFacts) => {
    const isRead =
      reviews.readOn !== null && reviews.readOn >= addDays(today, -rule.readWithinDays);
    const topics = collectTopics(reviews.low.map(cutReview), mostThemes);
    return {
      findings: topics.flatMap((topic) => judgeTopic(app.id, topic, reviews.low.length) ?? []),
      undecided: isRead ? [] : [keyOf(type, app.id)],
    };
  },
};

function judgeTopic(appId: number, topic: Topic, lowReviews: number): Finding | null {
  const share = topic.count / lowReviews;
  if (topic.count < rule.minReviews || share < rule.minShare) return null;
  return {
    key: keyOf(type, appId, shorten(topic.phrase, 60)),
    // Twice as many who say it are another finding.
    fingerprint: `2^${Math.floor(Math.log2(topic.count))}`,
    severity: topic.count >= rule.highReviews ? 'high' : 'medium',
    title: `${count(topic.count, 'low review')} of the last ${rule.withinDays} days speak of ${quote(topic.phrase)}`,
    reason: `That is ${Math.round(share * 100)} % of the ${count(lowReviews, 'review')} with ${rule.maxRating} stars or less. Read them, and answer or fix what they have in common.`,
    evidence: {
      phrase: topic.phrase,
      reviews: topic.count,
      lowReviews,
      share: Math.round(share * 1_000) / 1_000,
      maxRating: rule.maxRating,
      stars: topic.stars,
      exampleReviewIds: topic.exampleIds,
    },
    keywordIds: [],
    weight: topic.count,
  };
}
