import { useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { call, type ResponseOf } from '#web/api.ts';
import { showError } from '#web/components/toasts.tsx';
import type { Review, ReviewUpdate } from '#web/queries/reviews.ts';

type Pages = InfiniteData<ResponseOf<'GET /apps/{id}/reviews'>>;

/** Updates a review optimistically. It stays in its list until the list is refreshed. */
export function useReviewUpdate(appId: number) {
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
  return useMutation({
    mutationFn: ({ review, marks }: { review: Review; marks: ReviewUpdate }) =>
      call('PATCH /reviews/{reviewId}', { params: { reviewId: review.id }, body: marks }),
    onMutate: ({ review, marks }) => replace({ ...review, ...marks }),
    onSuccess: (review) => replace(review),
    onError: (error, { review }) => {
      replace(review);
      showError(error);
    },
  });
}
