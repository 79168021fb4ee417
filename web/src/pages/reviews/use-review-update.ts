import { useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, type ResponseOf } from '#web/api.ts';
import { showError } from '#web/components/toasts/toasts.tsx';
import { saveVersioned, unknownEtag } from '#web/conflict/save-versioned.ts';
import type { Review, ReviewUpdate } from '#web/queries/reviews.ts';
import type { DraftBase } from '#web/use-draft.ts';

type Pages = InfiniteData<ResponseOf<'GET /apps/{id}/reviews'>>;
type Marks = Pick<Review, 'tags' | 'note' | 'read'>;

interface Variables {
  review: Review;
  marks: ReviewUpdate;
  /** The note on which a changed note is based. */
  basedOn?: DraftBase | undefined;
}

const toState = ({ tags, note, read, etag }: Review) => ({ fields: { tags, note, read }, etag });

/**
 * Updates a review optimistically, unless somebody else has changed the same. It stays in its list
 * until the list is refreshed.
 */
export function useReviewUpdate(appId: number) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const replace = (review: Review) =>
    queryClient.setQueriesData<Pages>({ queryKey: ['apps', appId, 'reviews'] }, (data) =>
      data
        ? {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.map((item) => (item.id === review.id ? review : item)),
            })),
          }
        : data,
    );
  const labels = { tags: t('reviews.tags'), note: t('reviews.note'), read: t('reviews.markRead') };
  const formatField = (name: keyof Marks, { tags, note, read }: Marks) => {
    if (name === 'tags') return tags.join(', ');
    return name === 'note' ? (note ?? '') : t(read ? 'reviews.markRead' : 'reviews.markUnread');
  };
  return useMutation({
    mutationFn({ review, marks, basedOn }: Variables) {
      const params = { reviewId: review.id };
      const base = toState(review);
      return saveVersioned({
        base: basedOn
          ? { fields: { ...base.fields, note: basedOn.text || null }, etag: basedOn.etag }
          : base,
        mine: { ...base.fields, ...marks },
        read: async () => toState(await call('GET /reviews/{reviewId}', { params })),
        write: (fields, { ifMatch, changed }) =>
          call('PATCH /reviews/{reviewId}', {
            params,
            body: Object.fromEntries(changed.map((name) => [name, fields[name]])),
            ifMatch,
          }),
        describe: (name, theirs, mine) => ({
          label: labels[name],
          theirs: formatField(name, theirs),
          mine: formatField(name, mine),
        }),
      });
    },
    onMutate: ({ review, marks }) => replace({ ...review, ...marks }),
    onSuccess: (outcome, { review }) =>
      replace(
        outcome.kind === 'saved'
          ? outcome.saved
          : outcome.kind === 'taken'
            ? { ...review, ...outcome.theirs.fields, etag: outcome.theirs.etag ?? unknownEtag }
            : review,
      ),
    onError: (error, { review }) => {
      replace(review);
      showError(error);
    },
  });
}
