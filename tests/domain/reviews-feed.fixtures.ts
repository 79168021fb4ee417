import {
  StoreError,
  type ReviewsResponse,
  type Store,
  type StoreReview,
} from '#domain/base/ports.ts';

interface Written {
  storeReviewId: string;
  atMs: number;
  edits: number;
  rating: number;
}

/**
 * A country's feed with the paging of a store: newest first by page number, so that new reviews
 * shift the pages.
 */
export function createFeed(options: { pageSize: number; windowPages: number }) {
  const written: Written[] = [];
  let nowMs = Date.parse('2026-11-01T00:00:00Z');
  let pagesSent = 0;
  let failAt = Number.POSITIVE_INFINITY;
  let meanwhile: (page: number) => void = () => undefined;

  const show = ({ storeReviewId, atMs, edits, rating }: Written): StoreReview => ({
    storeReviewId,
    author: null,
    rating,
    title: null,
    body: `text ${edits} of ${storeReviewId}`,
    version: null,
    reviewedAt: new Date(atMs).toISOString(),
    reply: null,
  });
  const newestFirst = () => written.toSorted((a, b) => b.atMs - a.atMs);

  return {
    write(count: number) {
      for (let index = 0; index < count; index += 1) {
        written.push({
          storeReviewId: `r${written.length}`,
          atMs: (nowMs += 1_000),
          edits: 0,
          rating: 1 + (written.length % 5),
        });
      }
    },
    edit(number: number) {
      const review = written[number % Math.max(1, written.length)];
      if (review)
        Object.assign(review, {
          atMs: (nowMs += 1_000),
          edits: review.edits + 1,
          rating: (review.rating % 5) + 1,
        });
    },
    /** All reviews of the feed, whether the store shows them or not. */
    truth: () => newestFirst().map(show),
    /**
     * From now on the page of this number fails, and something happens after each successful page.
     */
    plan(given: { failAtPage?: number; meanwhile?: (page: number) => void }) {
      [failAt, meanwhile, pagesSent] = [
        given.failAtPage ?? Number.POSITIVE_INFINITY,
        given.meanwhile ?? (() => undefined),
        0,
      ];
    },
    asked: () => pagesSent,
    async reviews(query: { cursor: string | null }): Promise<ReviewsResponse> {
      const page = query.cursor === null ? 1 : Number(query.cursor);
      if (page >= failAt)
        throw new StoreError({
          store: 'ios',
          failure: 'unavailable',
          marker: 'timeout',
          message: 'planned',
        });
      pagesSent += 1;
      const all = newestFirst();
      const reviews = all.slice((page - 1) * options.pageSize, page * options.pageSize).map(show);
      const isLast = page * options.pageSize >= all.length;
      const end = isLast ? 'exhausted' : page >= options.windowPages ? 'window' : 'more';
      meanwhile(page);
      return {
        reviews,
        next: end === 'more' ? String(page + 1) : null,
        end,
        language: 'en',
        cost: { requests: 1, bytes: 1, ms: 1 },
      };
    },
  };
}

export type Feed = ReturnType<typeof createFeed>;

/** A store that only serves reviews. */
export function storeOf(feed: Feed): Store {
  return new Proxy({ name: 'ios', reviews: feed.reviews } as unknown as Store, {
    get: (target, name) => {
      if (name in target) return target[name as keyof Store];
      throw new Error(`nobody asks this store for ${String(name)}`);
    },
  });
}
