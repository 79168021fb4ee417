import type { Fact, FactKind } from '#contract/imported-facts.ts';
import type { UtcDay } from '#lib/dates.ts';

/** Facts with ids of their own. */
export const factNouns = ['review', 'change', 'snapshot'] as const;
export type FactNoun = (typeof factNouns)[number];

interface FactDefinition<Kind extends FactKind> {
  /** The day under which an import stores the item; undefined when the file names none. */
  dayOf(item: Fact<Kind>): UtcDay | undefined;
  /**
   * Equal for readings of the same fact by two instances. Where this instance has read a fact
   * itself, its own reading counts.
   */
  keyOf(item: Fact<Kind>): string;
  /** Items have ids of their own. */
  noun?: FactNoun;
}

const utcDay = (instant: string): UtcDay => instant.slice(0, 10);

/** Kinds of facts about the stores, by their names in a workspace's export. */
export const factKinds: { [Kind in FactKind]: FactDefinition<Kind> } = {
  serp: {
    dayOf: ({ date }) => date,
    keyOf: ({ keywordId, date }) => `${keywordId} ${date}`,
  },
  reviews: {
    dayOf: ({ reviewedAt, firstSeenAt }) => {
      const at = reviewedAt ?? firstSeenAt;
      return at === null ? undefined : utcDay(at);
    },
    keyOf: ({ country, storeReviewId }) => `${country} ${storeReviewId}`,
    noun: 'review',
  },
  changes: {
    dayOf: ({ detectedAt }) => utcDay(detectedAt),
    keyOf: ({ listing, country, field, detectedAt }) =>
      [listing.storeAppId, country, field, detectedAt].join(' '),
    noun: 'change',
  },
  category_ranks: {
    dayOf: ({ date }) => date,
    keyOf: ({ date, country, category, chart }) =>
      [date, country, category?.id ?? '', chart].join(' '),
  },
  charts: {
    dayOf: ({ date }) => date,
    keyOf: ({ date, country, category, chart }) =>
      [date, country, category?.id ?? '', chart].join(' '),
  },
  scores: {
    dayOf: ({ scoredAt }) => utcDay(scoredAt),
    keyOf: ({ keywordId, scoredAt }) => `${keywordId} ${scoredAt}`,
  },
  listing_days: {
    dayOf: ({ date }) => date,
    keyOf: ({ date, listing, country }) => [date, listing.storeAppId, country].join(' '),
  },
  snapshots: {
    dayOf: ({ takenAt }) => utcDay(takenAt),
    keyOf: ({ competitorId, country, takenAt }) => [competitorId ?? '', country, takenAt].join(' '),
    noun: 'snapshot',
  },
};

export function isFactKind(table: string): table is FactKind {
  return Object.hasOwn(factKinds, table);
}
