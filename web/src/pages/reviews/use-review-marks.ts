import { useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { call, type Answer } from '../../api.ts';
import { showError } from '../../components/toasts.tsx';
import type { Review, ReviewMarks } from '../../queries/reviews.ts';

type Pages = InfiniteData<Answer<'GET /apps/{id}/reviews'>>;

/** Marks a review; it stands in the lists as marked at once, and where it is until they are read again. */
export function useReviewMarks(appId: number) {
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
    mutationFn: ({ review, marks }: { review: Review; marks: ReviewMarks }) =>
      call('PATCH /reviews/{reviewId}', { params: { reviewId: review.id }, body: marks }),
    onMutate: ({ review, marks }) => replace({ ...review, ...marks }),
    onSuccess: (review) => replace(review),
    onError: (error, { review }) => {
      replace(review);
      showError(error);
    },
  });
}
