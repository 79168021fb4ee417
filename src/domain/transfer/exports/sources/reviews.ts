import { listReviews, type ReviewCursor, type ReviewRow } from '#db/queries/reviews/reviews.ts';
import { addDays, startOfDayMs } from '#lib/dates.ts';
import { inTenant } from '#domain/base/context.ts';
import { loadFollowedFeeds } from '#domain/tracking/reviews/followed-feeds.ts';
import { presentReview, type ReviewRecord } from '#domain/tracking/reviews/present-review.ts';
import { sourceOf, type Columns, type ExportScope } from '../export-source.ts';

const pageSize = 500;

/** The ETag of an edit means nothing in a file. */
type Exported = Omit<ReviewRecord, 'etag'>;

const columns: Columns<Exported> = {
  id: (item) => item.id,
  storeReviewId: (item) => item.storeReviewId,
  country: (item) => item.country,
  language: (item) => item.language,
  rating: (item) => item.rating,
  author: (item) => item.author,
  title: (item) => item.title,
  body: (item) => item.body,
  version: (item) => item.version,
  reviewedAt: (item) => item.reviewedAt,
  firstSeenAt: (item) => item.firstSeenAt,
  editedAt: (item) => item.editedAt,
  reply: (item) => item.reply?.text ?? null,
  repliedAt: (item) => item.reply?.at ?? null,
  tags: (item) => item.tags.join(';'),
  note: (item) => item.note,
  read: (item) => item.read,
};

/** The visible reviews of the tracked storefronts, newest first. */
async function* readPages({ ctx, app, from, to }: ExportScope): AsyncGenerator<Exported[]> {
  const range = {
    from: new Date(startOfDayMs(from)),
    until: new Date(startOfDayMs(addDays(to, 1))),
  };
  let after: ReviewCursor | null = null;
  for (;;) {
    const cursor: ReviewCursor | null = after;
    const rows: ReviewRow[] = await inTenant(ctx, async (tx) => {
      const { listingId, feeds } = await loadFollowedFeeds(tx, ctx, app);
      return listReviews(
        tx,
        ctx.workspaceId,
        { listingId, feeds, ...range },
        { sort: 'newest', after: cursor, limit: pageSize },
      );
    });
    yield rows.map((row) => {
      const { etag: _, ...review } = presentReview(row, app.id);
      return review;
    });
    if (rows.length < pageSize) return;
    after = rows.at(-1)!;
  }
}

export const reviews = sourceOf<Exported>({
  columns,
  hasDays: true,
  hasEarlierDays: true,
  pages: readPages,
});
