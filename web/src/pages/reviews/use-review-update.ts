import {
  useMutation,
  useMutationState,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type ResponseOf } from '#web/api.ts';
import { showError } from '#web/components/toasts/toasts.tsx';
import { baseOfShown, pickShown } from '#web/conflict/base-of-shown.ts';
import { saveVersioned, unknownEtag } from '#web/conflict/save-versioned.ts';
import type { Review, ReviewUpdate } from '#web/queries/reviews.ts';
import type { DraftBase } from '#web/use-draft.ts';

type Pages = InfiniteData<ResponseOf<'GET /apps/{id}/reviews'>>;
type Marks = Pick<Review, 'tags' | 'note' | 'read'>;

interface Variables {
  change: ReviewUpdate;
  /** The marks as the list showed them. */
  shown: Partial<Marks>;
  /** The note on which a changed note is based. */
  basedOn?: DraftBase | undefined;
}

const toState = ({ tags, note, read, etag }: Review) => ({ fields: { tags, note, read }, etag });

/** False if they were not saved; an error was shown by then. */
export type UpdateReview = (change: ReviewUpdate, basedOn?: DraftBase) => Promise<boolean>;

/**
 * A review with its changes that are not saved, and the function that changes it, unless
 * somebody else has changed the same. It stays in its list until the list is refreshed.
 */
export function useReviewUpdate(saved: Review) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { appId, id } = saved;
  const queryKey = ['apps', appId, 'reviews'];
  const mutationKey = ['review', id];
  /** The newest note that was saved from a draft. */
  const savedNote = useRef<{ basedOn: DraftBase; now: DraftBase }>(undefined);
  /** As the server has it: lists have no unsaved changes, and the list on the screen is newest. */
  const readSaved = (): Review =>
    (['active', 'inactive'] as const)
      .flatMap((type) => queryClient.getQueriesData<Pages>({ queryKey, type }))
      .flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? [])
      .find((item) => item.id === id) ?? saved;
  const replace = (changed: Marks & Pick<Review, 'etag'>) =>
    queryClient.setQueriesData<Pages>({ queryKey }, (data) =>
      data
        ? {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.map((item) => (item.id === id ? { ...item, ...changed } : item)),
            })),
          }
        : data,
    );
  const labels = { tags: t('reviews.tags'), note: t('reviews.note'), read: t('reviews.markRead') };
  const formatField = (name: keyof Marks, { tags, note, read }: Marks) => {
    if (name === 'tags') return tags.join(', ');
    return name === 'note' ? (note ?? '') : t(read ? 'reviews.markRead' : 'reviews.markUnread');
  };
  const { mutateAsync } = useMutation({
    mutationKey,
    scope: { id: `review-${id}` },
    mutationFn({ change, shown, basedOn }: Variables) {
      const params = { reviewId: id };
      const base = toState(readSaved());
      // More of the same draft may have been typed while its note was saved.
      const draftBase = savedNote.current?.basedOn === basedOn ? savedNote.current?.now : basedOn;
      return saveVersioned({
        base: draftBase
          ? { fields: { ...base.fields, note: draftBase.text || null }, etag: draftBase.etag }
          : baseOfShown(base, shown),
        mine: { ...base.fields, ...change },
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
    onSuccess(outcome, { basedOn }) {
      if (outcome.kind === 'cancelled') return;
      const { fields, etag } = outcome.kind === 'saved' ? toState(outcome.saved) : outcome.theirs;
      const changed = { ...fields, etag: etag ?? unknownEtag };
      if (basedOn && outcome.kind === 'saved')
        savedNote.current = { basedOn, now: { text: changed.note ?? '', etag } };
      replace(changed);
      // A read that began before the change may bring the review as it was.
      for (const { promise } of queryClient.getQueryCache().findAll({ queryKey }))
        void promise?.then(
          () => replace(changed),
          () => undefined,
        );
    },
    onError(error) {
      showError(error);
      // It may have been saved although the response was lost.
      void queryClient.invalidateQueries({ queryKey });
    },
  });
  const unsaved = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => (state.variables as Variables).change,
  });
  const update: UpdateReview = (change, basedOn) => {
    const { fields } = toState(readSaved());
    const shown = pickShown(queryClient, { saved: fields, change, mutationKey });
    return mutateAsync({ change, shown, basedOn }).then(
      ({ kind }) => kind !== 'cancelled',
      () => false,
    );
  };
  return { review: Object.assign({ ...saved }, ...unsaved) as Review, update };
}
